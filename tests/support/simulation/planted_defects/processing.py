"""Defects in processing jobs, which random worlds find."""

from dataclasses import replace
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.processing import SageMakerProcessing
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.job import JobOptions
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.requests import options
from scheduler.core.requests.processing import reading
from scheduler.observe.snapshot_reader import SnapshotReader


def release_at_stopping(patches: pytest.MonkeyPatch) -> None:
    """Treats a requested stop as the end."""
    describe = SageMakerProcessing.describe

    def ended_early(self: SageMakerProcessing, attempt_name: str) -> Observation:
        seen = describe(self, attempt_name)
        return replace(seen, status="Stopped") if seen.status == "Stopping" else seen

    patches.setattr(SageMakerProcessing, "describe", ended_early)


def count_as_training(patches: pytest.MonkeyPatch) -> None:
    """Counts processing jobs against the instances of training jobs, which have a separate quota."""
    patches.setattr(reading, "processing_line_of", lambda instance_type: instance_type)


def count_one_instance(patches: pytest.MonkeyPatch) -> None:
    """Forgets that a cluster may have several instances."""
    patches.setattr(reading, "demand_of", lambda request: _with_one(_demand_of(request)))


def list_no_processing_jobs(patches: pytest.MonkeyPatch) -> None:
    """Counts only the training jobs among the jobs that bypass the queue."""
    patches.setattr(SnapshotReader, "listed_kinds", (WorkKind.TRAINING,))


def preempt_without_permission(patches: pytest.MonkeyPatch) -> None:
    """Preempts processing jobs, which lose all their work, although their users did not allow it."""
    patches.setattr(options, "defaults_of", lambda _: JobOptions(priority=0))


_demand_of = reading.demand_of


def _with_one(demand: Any) -> Any:
    return replace(demand, counts=tuple((line, 1) for line, _ in demand.counts))
