"""Defines what is remembered of ended runs: run times by owner and for all owners, and usage by team."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from itertools import islice

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.history.runtime_stats import RuntimeStats, SimilarityKey, SimilarRuns, similarity_keys
from scheduler.core.jobs.job import Job
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey


@dataclass(frozen=True, slots=True)
class Usage:
    """A team's past use: one amount and its time. Use decays, so recent use counts more."""

    instance_seconds: float
    as_of: datetime

    def decayed_to(self, now: datetime, half_life: float) -> float:
        return float(self.instance_seconds * 0.5 ** ((now - self.as_of).total_seconds() / half_life))

    def plus(self, instance_seconds: float, now: datetime, half_life: float) -> "Usage":
        return Usage(self.decayed_to(now, half_life) + instance_seconds, now)


#: The owner key for statistics over the runs of all owners.
ALL_OWNERS = "*"
#: The groups of one owner fit into one write unit of the table. The group not seen for longest is dropped first.
MAX_RUN_GROUPS = 30

#: Similar runs by a short digest of their similarity key, the group seen last at the end.
RunGroups = Mapping[str, SimilarRuns]


@dataclass(frozen=True, slots=True)
class Learned:
    """Holds all that is remembered, or a part."""

    runs: Mapping[str, RunGroups] = field(default_factory=dict)  # by owner key
    usage: Mapping[str, Usage] = field(default_factory=dict)  # by team; "" for owners without a team
    capacity: CapacityMemory | None = None  # None: unchanged
    spent: Mapping[SpentTimeKey, SpentTime] = field(default_factory=dict)  # only what has changed

    def runtime_stats_for(self, jobs: Iterable[Job]) -> RuntimeStats:
        found: dict[SimilarityKey, SimilarRuns] = {}
        for job in jobs if self.runs else ():
            for key in similarity_keys(job):
                groups = self.runs.get(_owner_of(key, job))
                if groups and (similar_runs := groups.get(_digest_of(key))):
                    found[key] = similar_runs
        return RuntimeStats(found)

    def with_run(self, job: Job, seconds: float) -> "Learned":
        """Returns what is known after this job has run to its end."""
        runs = {owner: dict(groups) for owner, groups in self.runs.items()}
        for key in similarity_keys(job):
            groups, digest = runs.setdefault(_owner_of(key, job), {}), _digest_of(key)
            groups[digest] = SimilarRuns.including(groups.pop(digest, None), job, seconds)
        return Learned({owner: _last_seen(groups) for owner, groups in runs.items()}, self.usage)

    def with_usage(self, team: str, usage: Usage) -> "Learned":
        return Learned(self.runs, {**self.usage, team: usage})


def _owner_of(key: SimilarityKey, job: Job) -> str:
    owner_key = job.owner_key
    return owner_key if owner_key in key[:1] else ALL_OWNERS


@lru_cache(maxsize=65_536)
def _digest_of(key: SimilarityKey) -> str:
    return sha256(repr(key).encode()).hexdigest()[:8]


def _last_seen(groups: RunGroups) -> RunGroups:
    return dict(islice(groups.items(), max(0, len(groups) - MAX_RUN_GROUPS), None))
