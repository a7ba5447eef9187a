"""Estimates run times from similar past runs, for the ordering `shortest` and for start estimates."""

import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from scheduler.core.jobs.job import Job

#: The properties that similar runs share.
SimilarityKey = tuple[Hashable, ...]

#: The least weight of the most recent run in the average, so that old runs fade within about ten runs.
_NEWEST_WEIGHT = 0.1
#: A group with fewer runs is less reliable than the next wider group.
_MIN_RUNS = 3
# Suffixes that tools append to a name: a time stamp, a number, a digest.
_SUFFIX = re.compile(r"(-[0-9a-f]*\d[0-9a-f]*)+$")


@dataclass(frozen=True, slots=True)
class SimilarRuns:
    """An average over the runs of one group, in which older runs count less. Nothing else about the runs is stored."""

    count: int
    share: float  # the used share of the time limit: each user overestimates by a typical factor

    @classmethod
    def including(cls, known: "SimilarRuns | None", job: Job, seconds: float) -> "SimilarRuns":
        share = seconds / job.spec.max_runtime
        if known is None:
            return cls(1, share)
        # The first runs have equal weight, so that one unusual first run soon matters little.
        weight = max(_NEWEST_WEIGHT, 1 / (known.count + 1))
        return cls(known.count + 1, known.share + weight * (share - known.share))


@dataclass(frozen=True, slots=True)
class RuntimeStats:
    runs: Mapping[SimilarityKey, SimilarRuns] = field(default_factory=dict)

    def expected_run_time(self, job: Job) -> float:
        """Returns the expected run time in seconds. Without enough similar runs, it is the job's time limit."""
        for key in similarity_keys(job) if self.runs else ():
            known = self.runs.get(key)
            if known is not None and known.count >= _MIN_RUNS:
                return job.spec.max_runtime * known.share if known.share < 1 else job.spec.max_runtime
        return job.spec.max_runtime


def similarity_keys(job: Job) -> Iterator[SimilarityKey]:
    """Yields the keys of the job's groups, most similar first. A finished job is recorded under each key."""
    owner_key, limit = job.owner_key, job.spec.max_runtime
    yield (owner_key, name_stem(job.name), job.spec.demand.counts, limit)
    yield (owner_key, limit)
    yield (limit,)
    yield ()


@lru_cache(maxsize=65_536)
def name_stem(name: str) -> str:
    return _SUFFIX.sub("", name)
