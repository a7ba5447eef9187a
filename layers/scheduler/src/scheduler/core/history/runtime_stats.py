"""How long jobs like this one have run: what `shortest` orders by, and what estimates of a start are made from."""

import re
from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache

from attrs import field, frozen

from scheduler.core.jobs.job import Job

#: What alike runs have in common.
SimilarityKey = tuple[Hashable, ...]

#: The weight of the newest run in the average: old habits fade within some ten runs.
_NEWEST = 0.1
#: Fewer runs than these say less than what all jobs of the same time limit do.
_ENOUGH = 3
# What tools put behind a name: a time stamp, a number, a digest.
_SUFFIX = re.compile(r"(-[0-9a-f]*\d[0-9a-f]*)+$")


@frozen
class SimilarRuns:
    """A fading average over the runs of one likeness: all that has to be stored of them."""

    count: int
    share: float  # of its time limit that a run used: people overestimate, each in a way of their own

    @classmethod
    def learn(cls, known: "SimilarRuns | None", job: Job, seconds: float) -> "SimilarRuns":
        share = seconds / job.max_runtime
        if known is None:
            return cls(1, share)
        # The first runs count alike, so that one odd start is soon outvoted.
        weight = max(_NEWEST, 1 / (known.count + 1))
        return cls(known.count + 1, known.share + weight * (share - known.share))


@frozen
class RuntimeStats:
    runs: Mapping[SimilarityKey, SimilarRuns] = field(factory=dict)

    def expected_run_time(self, job: Job) -> float:
        """In seconds, never above the job's own limit. Without enough like runs, the limit itself."""
        for likeness in similarity_keys(job) if self.runs else ():
            known = self.runs.get(likeness)
            if known is not None and known.count >= _ENOUGH:
                return job.max_runtime * known.share if known.share < 1 else job.max_runtime
        return job.max_runtime


def similarity_keys(job: Job) -> Iterator[SimilarityKey]:
    """From the closest to the widest; a finished job is learned under each."""
    owner_key, limit = job.owner_key, job.max_runtime
    yield (owner_key, name_stem(job.name), job.demand.counts, limit)
    yield (owner_key, limit)
    yield (limit,)
    yield ()


@lru_cache(maxsize=65_536)
def name_stem(name: str) -> str:
    return _SUFFIX.sub("", name)
