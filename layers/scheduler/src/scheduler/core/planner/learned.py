"""Defines the data kept about finished runs: run times by owner, usage by team and owner, costs by location."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from hashlib import sha256

from scheduler.core.capacity.attempt_statistics import AttemptStatistics, statistics_of
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.capacity.locations import Location
from scheduler.core.history.runtime_stats import RuntimeStats, SimilarityKey, SimilarRuns, similarity_keys
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import NO_TEAM, OwnerOrder, Team, team_of
from scheduler.core.planner.policy import Policy
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey


@dataclass(frozen=True, slots=True)
class Usage:
    """Records the use of a team, or of an owner in it, as of a given time. Use decays, so recent use counts more."""

    weighted_seconds: float  # for all its instances, by the weights of their types
    as_of: datetime

    def decayed_to(self, now: datetime, half_life: float) -> float:
        return float(self.weighted_seconds * 0.5 ** ((now - self.as_of).total_seconds() / half_life))

    def plus(self, weighted_seconds: float, now: datetime, half_life: float) -> "Usage":
        return Usage(self.decayed_to(now, half_life) + weighted_seconds, now)


#: The owner key for statistics over the runs of all owners.
ALL_OWNERS = "*"
#: With at most this many groups, an owner's groups fit into one of the table's write units. The group not seen for the
#: longest time is dropped.
MAX_RUN_GROUPS = 30

#: Similar runs by a short digest of their similarity key, most recently seen group last.
RunGroups = Mapping[str, SimilarRuns]


@dataclass(frozen=True, slots=True)
class Learned:
    """Holds all data learned from past attempts, or a part of it."""

    runs: Mapping[str, RunGroups] = field(default_factory=dict)  # by owner key
    usage: Mapping[str, Usage] = field(default_factory=dict)  # by usage key
    statistics: Mapping[Location, AttemptStatistics] = field(default_factory=dict)
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
        """Returns the run times and usage, with this finished job's run included."""
        runs = {owner: dict(groups) for owner, groups in self.runs.items()}
        for key in similarity_keys(job):
            groups, digest = runs.setdefault(_owner_of(key, job), {}), _digest_of(key)
            groups[digest] = SimilarRuns.including(groups.pop(digest, None), job, seconds)
        seen_last = {owner: dict(list(groups.items())[-MAX_RUN_GROUPS:]) for owner, groups in runs.items()}
        return replace(self, runs=seen_last)

    def with_usage(self, key: str, usage: Usage) -> "Learned":
        return replace(self, usage={**self.usage, key: usage})

    def with_statistics(self, location: Location, added: AttemptStatistics) -> "Learned":
        known = self.statistics.get(location)
        return replace(self, statistics={**self.statistics, location: known.plus(added) if known else added})

    def usage_in(self, teams: Sequence[Team]) -> Mapping[str, Usage]:
        """Returns the usage of these teams, of their owners, and of jobs without a team; none if there are no teams."""
        names = {"", *(team.name for team in teams)} if teams else set[str]()
        return {key: usage for key, usage in self.usage.items() if key.partition(_OF_OWNER)[0] in names}


#: Separates the team from the owner in a usage key. No team name contains it.
_OF_OWNER = "@"


def usage_keys(job: Job, teams: Sequence[Team]) -> tuple[str, ...]:
    """Returns the keys under which the job's use counts: its team ("" if it has none), and its owner in a fair team."""
    team = team_of(job, teams) or NO_TEAM
    return (team.name, f"{team.name}{_OF_OWNER}{job.owner_key}") if team.owners is OwnerOrder.FAIR else (team.name,)


def _owner_of(key: SimilarityKey, job: Job) -> str:
    owner_key = job.owner_key
    return owner_key if owner_key in key[:1] else ALL_OWNERS


@lru_cache(maxsize=65_536)
def _digest_of(key: SimilarityKey) -> str:
    return sha256(repr(key).encode()).hexdigest()[:8]


#: Outcomes that show how long a job runs. The run time of a failed or cancelled job predicts nothing about other jobs.
_RUN_TIME_OUTCOMES = frozenset({Outcome.COMPLETED, Outcome.TIME_LIMIT})


@dataclass(frozen=True, slots=True)
class RunRecord:
    job: Job
    run_time: float  # seconds of training over all attempts; 0 if the outcome does not show the run time
    usage_keys: tuple[str, ...]  # the keys to charge; empty if there are no teams
    weighted_seconds: float
    ended_at: datetime
    statistics: tuple[Location, AttemptStatistics] | None  # what it adds, and where

    @property
    def locations(self) -> tuple[Location, ...]:
        return self.statistics[:1] if self.statistics else ()

    @property
    def owners(self) -> frozenset[str]:
        return frozenset({self.job.owner_key, ALL_OWNERS}) if self.run_time else frozenset()

    def add_to(self, learned: Learned, policy: Policy) -> Learned:
        if self.run_time:
            learned = learned.with_run(self.job, self.run_time)
        for key in self.usage_keys:
            used = learned.usage.get(key, Usage(0.0, self.ended_at))
            charged = used.plus(self.weighted_seconds, self.ended_at, policy.usage_half_life)
            learned = learned.with_usage(key, charged)
        return learned.with_statistics(*self.statistics) if self.statistics else learned


def run_record_of(job: Job, attempt_name: str, policy: Policy) -> RunRecord | None:
    """Returns the record of the attempt that just ended; None if it never started or is not the job's last attempt."""
    last = job.status.history[-1] if job.status.history else None
    if last is None or last.name != attempt_name or last.outcome is Outcome.NEVER_STARTED:
        return None
    held = (last.ended_at - last.reserved_at).total_seconds()
    return RunRecord(
        job=job,
        run_time=job.trained_seconds if last.outcome in _RUN_TIME_OUTCOMES else 0.0,
        usage_keys=usage_keys(job, policy.teams) if policy.teams else (),
        weighted_seconds=max(0.0, held) * policy.weights.of(job.demand_of(last)),
        ended_at=last.ended_at,
        statistics=statistics_of(job, last),
    )
