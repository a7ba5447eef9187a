"""Defines rejected estimates of run times. The ordering and the expected ends of running jobs depend on them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from benchmarks.scheduling import production, replay
from benchmarks.scheduling.engine import Progress
from benchmarks.scheduling.production import Production
from benchmarks.scheduling.tried import Change
from scheduler.core.history import runtime_stats
from scheduler.core.history.runtime_stats import RuntimeStats, SimilarRuns, similarity_keys
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.planner.snapshot import Snapshot

#: A group's mean counts as much as that of its next wider group once it has this many runs.
_RUNS_FOR_HALF = 3


@dataclass(frozen=True, slots=True)
class _TrueRunTimes(RuntimeStats):
    """Knows each job's run time, which a real queue cannot know."""

    progress: Mapping[str, Progress] = field(default_factory=dict)

    def expected_run_time(self, job: Job) -> float:
        return self.progress[job.name].submission.duration


@dataclass(frozen=True, slots=True)
class _RemainingRunTimes(RuntimeStats):
    """Subtracts the saved work from the usual estimate, down to a minute."""

    progress: Mapping[str, Progress] = field(default_factory=dict)

    def expected_run_time(self, job: Job) -> float:
        return max(60.0, RuntimeStats.expected_run_time(self, job) - self.progress[job.name].saved)


class _KnowsRunTimes(Production):
    def _snapshot(self, free: Demand) -> Snapshot:
        return replace(super()._snapshot(free), runtime_stats=_TrueRunTimes(self._runs, self._progress))


class _KnowsSavedWork(Production):
    def _snapshot(self, free: Demand) -> Snapshot:
        return replace(super()._snapshot(free), runtime_stats=_RemainingRunTimes(self._runs, self._progress))


def _mixed(self: RuntimeStats, job: Job) -> float:
    """Mixes the mean of each group of similar runs with those of wider groups, by its number of runs."""
    share = 1.0
    for key in reversed(tuple(similarity_keys(job))):
        if known := self.runs.get(key):
            share += (known.share - share) * known.count / (known.count + _RUNS_FOR_HALF)
    return job.spec.max_runtime * min(share, 1.0)


class _GeometricMean(SimilarRuns):
    """Averages the logarithms of run times, so that one long run counts less."""

    @classmethod
    def including(cls, known: SimilarRuns | None, job: Job, seconds: float) -> SimilarRuns:
        usual = SimilarRuns.including(known, job, seconds)
        if known is None:
            return usual
        weight = max(runtime_stats._NEWEST_WEIGHT, 1 / usual.count)
        share = known.share ** (1 - weight) * (seconds / job.spec.max_runtime) ** weight
        return SimilarRuns(usual.count, share)


@dataclass(frozen=True, slots=True)
class _LastTwo(SimilarRuns):
    """Averages only the last two runs."""

    last: float = 1.0

    @classmethod
    def including(cls, known: SimilarRuns | None, job: Job, seconds: float) -> SimilarRuns:
        share = seconds / job.spec.max_runtime
        if isinstance(known, _LastTwo):
            return cls(known.count + 1, (known.last + share) / 2, share)
        return cls(1, share, share)


ESTIMATES = {
    "estimates: the true run times, which a real queue cannot know": (Change(replay, "Production", _KnowsRunTimes),),
    "estimates: means of similar jobs, mixed with those of wider groups": (
        Change(RuntimeStats, "expected_run_time", _mixed),
    ),
    "estimates: the same with geometric means": (
        Change(RuntimeStats, "expected_run_time", _mixed),
        Change(production, "SimilarRuns", _GeometricMean),
    ),
    "estimates: the mean of the last two similar runs": (
        Change(production, "SimilarRuns", _LastTwo),
        Change(runtime_stats, "_MIN_RUNS", 2),
    ),
    "estimates: the run time minus saved work": (Change(replay, "Production", _KnowsSavedWork),),
}
