"""Judges the trials of a tuning job: their objective values, the counters, and the best trial."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from local_sagemaker.state_machine.job import Status, TrainingJob
from local_sagemaker.state_machine.tuning.job import Objective, Trial, TuningJob, definitions, objective

# A later value is an improvement only if it is better than the best one by at least this share of that value.
_IMPROVEMENT = 0.01
# Failures of these kinds can be retried: the service lacked capacity or failed.
_RETRYABLE = ("InternalServerError", "CapacityError")


@dataclass(frozen=True, slots=True)
class Result:
    """One trial with its training job, which still exists."""

    tuning_job: TuningJob
    trial: Trial
    job: TrainingJob
    objective: Objective
    value: float | None  # the last objective value, which may still change while the job runs
    counts_if_stopped: bool

    @property
    def status(self) -> str:
        """The trial's ObjectiveStatus."""
        if not self.job.is_terminal:
            return "Pending"
        is_lost = self.job.status is Status.STOPPED and not self.counts_if_stopped
        return "Failed" if self.job.status is Status.FAILED or self.value is None or is_lost else "Succeeded"

    @property
    def final_value(self) -> float | None:
        return self.value if self.status == "Succeeded" else None

    @property
    def definition(self) -> dict[str, Any]:
        return definitions(self.tuning_job.request)[self.trial.definition]


def results(tuning_job: TuningJob, jobs: Mapping[str, TrainingJob], *, stopped_trials_count: bool) -> list[Result]:
    """Lists the trials whose training jobs still exist, in the order of their launches.

    A trial that early stopping ended always counts. `stopped_trials_count` determines whether other stopped trials
    count.
    """
    objectives = [objective(definition) for definition in definitions(tuning_job.request)]
    return [
        Result(
            tuning_job,
            trial,
            job,
            objectives[trial.definition],
            job.objective_value,
            counts_if_stopped=stopped_trials_count or trial.name in tuning_job.stopped_early,
        )
        for trial in tuning_job.trials
        if (job := jobs.get(trial.name)) is not None
    ]


def best(found: Iterable[Result]) -> Result | None:
    """Returns the best trial with a final value. In a tie, the earlier trial wins."""
    champion: Result | None = None
    for result in found:
        value = result.final_value
        if value is None:
            continue
        if champion is None or champion.value is None or result.objective.is_better(value, champion.value):
            champion = result
    return champion


def training_job_counters(found: list[Result]) -> dict[str, int]:
    statuses = [_counter(result.job) for result in found]
    names = ("Completed", "InProgress", "RetryableError", "NonRetryableError", "Stopped")
    return {name: statuses.count(name) for name in names}


def objective_counters(found: list[Result]) -> dict[str, int]:
    statuses = [result.status for result in found]
    return {name: statuses.count(name) for name in ("Succeeded", "Pending", "Failed")}


def not_improving(found: Iterable[Result]) -> int:
    """Counts the last trials in a row that did not improve the best value by 1 %, in the order of their ends."""
    trailing, champion = 0, None
    for result in sorted(_evaluated(found), key=lambda result: (result.job.ended_at or 0, result.job.name)):
        value = result.value or 0.0
        if champion is None or _improves(result.objective, value, champion):
            trailing, champion = 0, value
        else:
            trailing += 1
    return trailing


def _evaluated(found: Iterable[Result]) -> Iterator[Result]:
    return (result for result in found if result.final_value is not None)


def _improves(wanted: Objective, value: float, champion: float) -> bool:
    gain = value - champion if wanted.maximizes else champion - value
    return gain > 0 and gain >= _IMPROVEMENT * abs(champion)


def _counter(job: TrainingJob) -> str:
    if job.status is Status.FAILED:
        return "RetryableError" if (job.failure_reason or "").startswith(_RETRYABLE) else "NonRetryableError"
    return job.status.value if job.is_terminal else "InProgress"
