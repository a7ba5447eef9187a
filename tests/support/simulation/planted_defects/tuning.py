"""Defects in tuning jobs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.tuning import SageMakerTuning
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.work.tuning import Trial, TuningProgress
from scheduler.core.requests import attempt_request
from scheduler.core.requests.tuning.continuation import continued


def forget_a_trial(patches: pytest.MonkeyPatch) -> None:
    """Treats the end of a tuning job as the end of its trials."""
    patches.setattr(Trial, "has_ended", property(lambda _: True))


def repeat_a_trial(patches: pytest.MonkeyPatch) -> None:
    """Names the parents of the next attempt, but gives it all trials again."""
    after = TuningProgress.after

    def without_trials(
        self: TuningProgress, name: str, trials: Sequence[Trial], since: datetime | None, seconds: float
    ) -> TuningProgress:
        return replace(after(self, name, trials, since, seconds), trials=0)

    patches.setattr(TuningProgress, "after", without_trials)


def release_at_stopping(patches: pytest.MonkeyPatch) -> None:
    describe = SageMakerTuning.describe

    def ended_early(self: SageMakerTuning, attempt_name: str) -> Observation:
        seen = describe(self, attempt_name)
        return replace(seen, status="Stopped") if seen.status == "Stopping" else seen

    patches.setattr(SageMakerTuning, "describe", ended_early)


def name_only_the_last_parent(patches: pytest.MonkeyPatch) -> None:
    """Trusts that a warm start is recursive."""
    after = TuningProgress.after

    def last(
        self: TuningProgress, name: str, trials: Sequence[Trial], since: datetime | None, seconds: float
    ) -> TuningProgress:
        progress = after(self, name, trials, since, seconds)
        return replace(progress, parents=progress.parents[-1:])

    patches.setattr(TuningProgress, "after", last)


def send_the_widest_request(patches: pytest.MonkeyPatch) -> None:
    """Reserves the instances of a narrow tuning job, but sends the request with all parallel trials."""

    def widest(request: Mapping[str, Any], job: Job) -> dict[str, Any]:
        sent, most = continued(request, job), job.each_choice[0].spec.tuning
        config = sent["HyperParameterTuningJobConfig"]
        limits = config["ResourceLimits"] | ({"MaxParallelTrainingJobs": most.parallel} if most else {})
        return {**sent, "HyperParameterTuningJobConfig": {**config, "ResourceLimits": limits}}

    patches.setattr(attempt_request, "continued", widest)
