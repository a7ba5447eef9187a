"""How long jobs like this one have run: what `shortest` orders by, and what estimates of a start are made from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from scheduler.domain.job import Job

#: Who ran it, what it is called, what it asks for: runs that agree in these are alike.
Likeness = tuple[str, ...]

#: The weight of the newest run in the average: old habits fade within some ten runs.
_NEWEST = 0.2
# What tools put behind a name: a time stamp, a number, a digest.
_SUFFIX = re.compile(r"(-[0-9a-f]*\d[0-9a-f]*)+$")


@dataclass(frozen=True, slots=True)
class LikeRuns:
    """A fading average over the runs of one likeness: all that has to be stored of them."""

    count: int
    mean: float  # seconds

    @classmethod
    def learn(cls, known: "LikeRuns | None", seconds: float) -> "LikeRuns":
        if known is None:
            return cls(1, seconds)
        # The first runs count alike, so that one odd start is soon outvoted.
        weight = max(_NEWEST, 1 / (known.count + 1))
        return cls(known.count + 1, known.mean + weight * (seconds - known.mean))


@dataclass(frozen=True, slots=True)
class History:
    runs: Mapping[Likeness, LikeRuns] = field(default_factory=dict)

    def expected_run_time(self, job: Job) -> float:
        """In seconds, never above the job's own bound. Without any like job, the bound itself."""
        for likeness in likenesses(job):
            if known := self.runs.get(likeness):
                return min(known.mean, job.max_runtime)
        return job.max_runtime


def likenesses(job: Job) -> tuple[Likeness, ...]:
    """From the closest to the widest; a finished job is learned under each."""
    return _likenesses(job.owner, name_stem(job.name), job.demand.counts, job.max_runtime)


@lru_cache(maxsize=65_536)
def name_stem(name: str) -> str:
    return _SUFFIX.sub("", name)


@lru_cache(maxsize=65_536)
def _likenesses(owner: str, stem: str, counts: object, max_runtime: int) -> tuple[Likeness, ...]:
    return ((owner, stem, str(counts), str(max_runtime)), (owner, stem, str(counts)), (owner,))
