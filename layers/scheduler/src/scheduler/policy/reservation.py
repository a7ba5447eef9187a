"""When a job that does not fit now will fit, and who may pass it until then (EASY backfill).

The moment comes from how long running jobs are expected to run; a job that passes is held to its hard bound
(MaxRuntimeInSeconds), so that it cannot delay the reservation whatever it does.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf

from scheduler.domain.demand import Demand
from scheduler.domain.history import History
from scheduler.domain.job import Job
from scheduler.domain.snapshot import LiveJob
from scheduler.policy.room import Room


@dataclass(frozen=True, slots=True)
class Ending:
    """Instances that are expected back at a time (seconds since the epoch)."""

    at: float
    demand: Demand
    job_name: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The place that is kept for a job which does not fit now."""

    job: Job
    start: float
    spare: Room  # what it leaves over at its start
    is_elder: bool  # claimed through the starvation share

    @property
    def starts_at(self) -> datetime | None:
        return None if self.start == inf else datetime.fromtimestamp(self.start, UTC)

    def may_be_passed(self, demand: Demand, ends: float) -> bool:
        return ends <= self.start or self.spare.has(demand) or not demand.shares_a_type_with(self.job.demand)

    def note_launch(self, demand: Demand, ends: float) -> None:
        if ends > self.start:
            self.spare.take(demand)


def claim(job: Job, room: Room, endings: Iterable[Ending], *, is_elder: bool) -> Claim:
    """The earliest moment at which the job fits, when what runs ends as expected."""
    room = room.copy()
    start = inf
    for ending in sorted(endings, key=_time):
        room.give(ending.demand)
        if room.has(job.demand):
            start = ending.at
            break
    room.take(job.demand)
    return Claim(job, start, room, is_elder)


def expected_ending(live: LiveJob, history: History, now: float) -> Ending:
    """From its start on, as long as its like; one that runs over that is expected to run up to twice as long again."""
    started = live.attempt.reserved_at.timestamp()
    elapsed, bound = now - started, live.job.max_runtime
    run_time = max(1.0, history.expected_run_time(live.job))
    while run_time <= elapsed < bound:
        run_time *= 2
    return Ending(started + max(elapsed, min(run_time, bound)), live.attempt.demand, live.job.name)


def _time(ending: Ending) -> float:
    return ending.at
