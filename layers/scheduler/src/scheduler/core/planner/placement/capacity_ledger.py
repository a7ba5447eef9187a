"""What a plan in the making can still give away: free instances, places that are kept, and when more come back."""

from collections.abc import Iterator
from functools import cached_property
from heapq import merge
from operator import attrgetter

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.fair_share import Rank
from scheduler.core.planner.placement.backfill import Claim, Ending, claim
from scheduler.core.planner.placement.calendar_horizon import CalendarHorizon
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.offers import keep_alive, offered

_AT = attrgetter("at")


class CapacityLedger:
    def __init__(self, snapshot: Snapshot, now: float) -> None:
        self._snapshot, self._now = snapshot, now
        self.claims: list[Claim] = []
        self.horizon = CalendarHorizon(snapshot, now)
        self._released: set[str] = set()  # jobs that the plan stops
        self._beginning: list[Ending] = []  # of what it starts or holds a place for
        self.limit = FreeCapacity(snapshot.budget.limit.counts)
        # What is free and not held for a job ahead: it only shrinks while the plan is made.
        self.free = self.limit.copy()
        self.free.take(snapshot.held)
        # None of which the plan releases or gives away yet.
        self._pools = [pool for pool in snapshot.pools if pool.is_readable and not pool.lent_to]
        self._offers = offered(self._pools, now)
        # The same once all stopping attempts are gone; negative where the budget was shrunk.
        self.prospect = self.free.copy()
        for live in snapshot.live:
            if live.job.state is JobState.STOPPING:
                self.prospect.give(live.attempt.demand)

    def can_start(self, job: Job) -> bool:
        if not self.free.has(job.demand) or not self.prospect.has(job.demand):
            return False
        ends = self._now + job.max_runtime
        return all(held.may_be_passed(job.demand, ends) for held in self.claims)

    def matching_pool(self, job: Job) -> Attempt | None:
        """A warm pool that SageMaker starts it on, where that delays nobody for whom a place is kept.

        Never where more is held than the budget: then pools go.
        """
        for pool in self._offers.get(job.pool_key, ()):
            if keep_alive(self._snapshot.pool_rules, job, pool, self._now) and self._may_take(job, pool):
                return pool
        return None

    def _may_take(self, job: Job, pool: Attempt) -> bool:
        ends = self._now + job.max_runtime
        is_within = all(self.free.get(kind, 0) >= 0 and self.prospect.get(kind, 0) >= 0 for kind in job.demand)
        return (
            is_within
            and pool.demand == job.demand
            and all(held.may_be_passed(job.demand, ends) for held in self.claims)
        )

    def reservation_ahead_of(self, job: Job, rank: Rank) -> Claim | None:
        """A place of no lower rank, which nobody may make room over; an elder or a beneficiary may hold a lower one."""
        for held in self.claims:
            if held.rank >= rank and held.job.demand.shares_a_type_with(job.demand):
                return held
        return None

    def start(self, job: Job) -> None:
        self._note_start(job)
        self.free.take(job.demand)
        self.prospect.take(job.demand)

    def start_on(self, pool: Attempt, job: Job) -> None:
        """What the pool holds is the job's from now on."""
        self._note_start(job)
        self._take_away(pool)

    def available_for(self, job: Job) -> FreeCapacity:
        """What it could have once all that stops is gone, beside the places that are claimed."""
        available = self.prospect.copy()
        for held in self.claims:
            if held.job.demand.shares_a_type_with(job.demand):
                available.take_up_to(held.job.demand)
        return available

    def fits_within_patience(self, job: Job, available: FreeCapacity) -> bool:
        """Whether enough is expected to end within the patience. Who outlived what was expected does not count."""
        room = available.copy()
        for live in self._expected_soon:
            if live.job.name not in self._released:
                room.give(live.attempt.demand)
        return room.has(job.demand)

    def release(self, victim: LiveJob) -> None:
        self._released.add(victim.job.name)
        self.prospect.give(victim.attempt.demand)

    def with_pools(self, demand: Demand, room: FreeCapacity) -> tuple[FreeCapacity, tuple[Attempt, ...]]:
        """What is there once enough warm pools are gone, and which: nobody loses work, so they go first."""
        room, chosen = room.copy(), []
        for pool in self._pools:
            if any(room.get(kind, 0) < count for kind, count in demand.counts if pool.demand[kind]):
                chosen.append(pool)
                room.give(pool.demand)
        return room, tuple(chosen)

    def release_pool(self, pool: Attempt) -> None:
        self._take_away(pool)
        self.prospect.give(pool.demand)

    def hold_for(self, job: Job) -> None:
        """What is about to be released for the job, and as much as it needs of what is free, goes to nobody else."""
        self.prospect.take(job.demand)
        self.horizon.reserve(job, self._now)
        self.free.take_up_to(job.demand)
        self._beginning.append(Ending(self._now + job.max_runtime, job.demand, job.name))
        self._renew_reservations()

    def reserve(self, job: Job, rank: Rank) -> None:
        """Reserve the first moment at which the job fits for sure, beside the places that were claimed before."""
        room, reserved_for = self.prospect.copy(), self._beginning.copy()
        for pool in self._pools:
            room.give(pool.demand)  # it goes when it is all that is lacking
        for held in self.claims:
            room.take(held.job.demand)
            reserved_for.append(held.ending)
        endings = merge(self._endings(), self.horizon.changes(), sorted(reserved_for, key=_AT), key=_AT)
        self.claims.append(claim(job, rank, room, endings, lambda start: self.horizon.allows(job, start)))

    def _note_start(self, job: Job) -> None:
        ends = self._now + job.max_runtime
        for held in self.claims:
            held.note_launch(job.demand, ends)
        self._beginning.append(Ending(ends, job.demand, job.name))
        self.horizon.reserve(job, self._now)

    def _take_away(self, pool: Attempt) -> None:
        self._pools.remove(pool)
        if alike := self._offers.get(pool.pool_key):
            self._offers[pool.pool_key] = [one for one in alike if one is not pool]

    def _renew_reservations(self) -> None:
        """A place that is held may be what a job of lower rank had counted on."""
        before, self.claims = self.claims, []
        for held in before:
            self.reserve(held.job, held.rank)

    def _endings(self) -> Iterator[Ending]:
        """When running jobs will have ended, the first ones first; what is released is in the prospect already."""
        for live in self._staying:
            if live.job.name not in self._released:
                yield Ending(max(live.ends_by, self._now), live.attempt.demand, live.job.name)

    @cached_property
    def _expected_soon(self) -> list[LiveJob]:
        """What is expected to end within the patience: the same for every job, and hundreds may ask."""
        soon, expected = self._now + self._snapshot.policy.patience, self._snapshot.history.expected_run_time
        ends = ((live, live.started_at.timestamp() + expected(live.job)) for live in self._staying)
        return [live for live, at in ends if self._now < at <= soon]

    @cached_property
    def _staying(self) -> list[LiveJob]:
        staying = [live for live in self._snapshot.live if live.job.state is not JobState.STOPPING]
        return sorted(staying, key=attrgetter("ends_by"))
