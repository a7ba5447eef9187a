"""Defines a tuning job's limits, and the progress that its finished attempts have made.

A preempted tuning job continues as a new tuning job: with warm start, it begins with the results of its parents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

#: A warm start names at most five parents, and is not recursive: it knows the results of these parents only.
MOST_PARENTS = 5
#: SageMaker's limits on MaxRuntimeInSeconds for a tuning job.
SHORTEST_RUNTIME, LONGEST_RUNTIME = 120, 30 * 86_400
_STOPPED = "Stopped"
_ENDED = frozenset({"Completed", "Failed", _STOPPED})


@dataclass(frozen=True, slots=True)
class Trial:
    """A training job that a tuning job started, as SageMaker lists it."""

    status: str
    ended_at: datetime | None = None
    has_value: bool = False  # SageMaker has its final objective value

    @property
    def has_ended(self) -> bool:
        return self.status in _ENDED


@dataclass(frozen=True, slots=True)
class TuningLimits:
    """Holds the limits that a tuning job's request sets."""

    parallel: int  # the most trials at a time
    most_trials: int | None = None  # None: as many as its completion criteria allow
    max_runtime: int | None = None  # seconds for all trials
    parents: int = 0  # how many parents its own warm start names
    continues: bool = True  # after a stop, a warm start continues it; otherwise, it starts over


@dataclass(frozen=True, slots=True)
class TuningProgress:
    """Sums up a tuning job's finished attempts. Later attempts name these as parents and repeat no trial."""

    parents: tuple[str, ...] = ()
    trials: int = 0
    seconds: int = 0
    has_value: bool = False  # of at least one trial

    def after(
        self, attempt_name: str, trials: Sequence[Trial], stopped_since: datetime | None, seconds: float
    ) -> "TuningProgress":
        """Returns the progress with an attempt that has ended. An attempt without a finished trial is no parent.

        A trial that its tuning job stopped early counts as finished. A trial that ended after the queue requested the
        stop does not: a later attempt tries other values instead.
        """
        finished = [trial for trial in trials if _is_finished(trial, stopped_since)]
        parents = (*self.parents, attempt_name) if finished else self.parents
        has_value = self.has_value or any(trial.has_value for trial in finished)
        return TuningProgress(parents, self.trials + len(finished), self.seconds + round(seconds), has_value)

    def leaves_something(self, limits: TuningLimits) -> bool:
        """Returns whether another attempt would have trials and time left."""
        has_trials = limits.most_trials is None or self.trials < limits.most_trials
        has_time = limits.max_runtime is None or limits.max_runtime - self.seconds >= SHORTEST_RUNTIME
        return has_trials and has_time

    @property
    def after_failure(self) -> "TuningProgress":
        """Returns the progress with which a failed tuning job runs again: if all its trials failed, it starts over."""
        return NO_PROGRESS if self.trials and not self.has_value else self

    def uses_all_parents(self, limits: TuningLimits) -> bool:
        """Returns whether a warm start already names as many parents as SageMaker allows."""
        return limits.continues and limits.parents + len(self.parents) >= MOST_PARENTS


NO_PROGRESS = TuningProgress()


def _is_finished(trial: Trial, stopped_since: datetime | None) -> bool:
    if trial.status != _STOPPED or stopped_since is None:
        return trial.has_ended
    return trial.ended_at is not None and trial.ended_at < stopped_since
