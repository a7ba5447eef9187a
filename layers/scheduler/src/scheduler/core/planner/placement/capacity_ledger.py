"""Counts the instances that a plan in progress can still assign: those free now, reserved, or free later.

Jobs may pass a job with a reservation if they cannot delay it (EASY backfill). The start of a reservation and the end
of a passing job are both computed from the hard limit, MaxRuntimeInSeconds. An alternative was tried and rejected:
predicting start times from the run times of similar jobs. Reservations then started earlier, so fewer jobs could pass,
and yet wide jobs waited longer (docs/explain/benchmarks.md).
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from heapq import merge
from math import inf
from operator import attrgetter

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.fair_share import Rank
from scheduler.core.planner.placement.calendar_horizon import CalendarHorizon, CapacityChange
from scheduler.core.planner.placement.reservations import BackfillReservation, Claim, Precedence
from scheduler.core.planner.shared_capacity import TeamLimits, whole_budget, with_shares
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.offers import keep_alive, pools_by_key
from scheduler.core.warm_pools.warm_pool import WarmPool

_AT = attrgetter("at")


class CapacityLedger:
    def __init__(self, snapshot: Snapshot, now: float) -> None:
        self._snapshot, self._now = snapshot, now
        self.reservations: list[BackfillReservation] = []
        self.horizon = CalendarHorizon(snapshot, now)
        self._staying = sorted(snapshot.staying, key=attrgetter("ends_by"))
        self._stopped: set[str] = set()  # names of the jobs that the plan stops
        self._planned_ends: list[CapacityChange] = []  # of the jobs that the plan starts or holds instances for
        self.limits = TeamLimits(snapshot.policy.teams)
        self.limit = whole_budget(snapshot, self.limits)
        # Instances that are free now and not held for a job ahead. They only decrease while the plan is made.
        self.free = with_shares(self.limit, self.limits, snapshot.live).copy()
        self.free.take(snapshot.held)
        # Pools that the plan has neither released nor given to a job.
        self._pools = [pool for pool in snapshot.pools if pool.is_readable and not pool.lent_to]
        self._pools_by_key = pools_by_key(self._pools, now)
        # Instances that are free once all stopping attempts have ended. Negative if the budget has shrunk.
        self.projected = self.free.copy()
        for live in snapshot.live:
            if live.job.status.state is JobState.STOPPING:
                self._release(live, live.continues_on)

    def kind_of(self, job: Job) -> object:
        """Returns a key that jobs with the same needs share: their demand and, if teams have limits, their team."""
        counts = job.spec.demand.counts
        return (self.limits.team_name(job), counts) if self.limits.are_set else counts

    def can_start(self, job: Job) -> bool:
        return self.free.fits(job) and self.projected.fits(job) and self._delays_no_reservation(job)

    def fits_with(self, job: Job, others: Iterable[Job]) -> bool:
        """Returns whether the free instances suffice for the job and all the other jobs."""
        free = self.free.copy()
        for each in (job, *others):
            if not free.fits(each):
                return False
            free.take_for(each)
        return True

    def matching_pool(self, job: Job) -> WarmPool | None:
        """Returns a warm pool on which SageMaker would start the job, if the job delays no reservation.

        Returns None while more instances are held than the budget allows, because pools are then released.
        """
        pools = self._pools_by_key.get(job.spec.pool_key, ())
        if not pools or not self._delays_no_reservation(job):
            return None
        if any(self.free.get(line, 0) < 0 or self.projected.get(line, 0) < 0 for line in job.spec.demand):
            return None
        if not (self.free.fits_on_held(job) and self.projected.fits_on_held(job)):
            return None
        rules = self._snapshot.pool_rules
        fitting = (pool for pool in pools if pool.demand == job.spec.demand and keep_alive(rules, job, pool, self._now))
        return next(fitting, None)

    def _delays_no_reservation(self, job: Job) -> bool:
        ends = self._now + job.spec.max_runtime
        return all(reservation.may_be_passed(job, ends) for reservation in self._reservations_beside(job))

    def reservation_ahead_of(self, job: Job, rank: Rank) -> BackfillReservation | None:
        """Returns a reservation of the same or a higher rank, which this job must not overtake by preempting jobs.

        Reservations of lower rank, such as those of aged jobs, do not count. A reservation without a claim is
        preferred, since a job that may preempt now can pass only a reservation with a claim.
        """
        ahead = [reservation for reservation in self._reservations_beside(job) if reservation.rank >= rank]
        return next((found for found in ahead if not found.claim), ahead[0] if ahead else None)

    def claimed_ahead_of(self, job: Job, precedence: Precedence) -> set[str]:
        """Returns the names of the running jobs that this job must leave to claims with higher precedence."""
        claims = (found.claim for found in self._reservations_beside(job) if found.claim)
        return {name for claim in claims if claim.precedence > precedence for name in claim.names}

    def _reservations_beside(self, job: Job) -> Iterator[BackfillReservation]:
        beside = (found for found in self.reservations if found.shares_a_type_with(job))
        return (found for found in beside if found.team is None or found.team == self.limits.team_name(job))

    def start(self, job: Job, pool: WarmPool | None) -> None:
        """Records that the job starts on free instances, or on a warm pool's instances."""
        ends = self._now + job.spec.max_runtime
        for reservation in self.reservations:
            if ends > reservation.start:
                reservation.spare.take_for(job)
        self._planned_ends.append(CapacityChange(ends, job.spec.demand, job))
        self.horizon.reserve(job, self._now)
        if pool:
            self._remove_pool(pool)
            self.free.hold(job, job.spec.demand)
            self.projected.hold(job, job.spec.demand)
        else:
            self.free.take_for(job)
            self.projected.take_for(job)

    def available_for(self, job: Job) -> FreeCapacity:
        """Returns the unreserved instances that the job could use once all stopping jobs have ended."""
        available = self.projected.seen_by(job)
        for reservation in self._reservations_beside(job):
            available.take_up_to_for(reservation.job)
        return available

    def fits_within_patience(self, job: Job, pools: Iterable[WarmPool]) -> bool:
        """Returns whether the job is expected to fit within its patience, if these pools are released.

        Running jobs count if they are expected to end by then, unless they are already overdue. Jobs with reservations
        get their instances first, so that each instance counts once.
        """
        free = self.projected.copy()
        for reservation in self._reservations_beside(job):
            free.take_for(reservation.job)
        for pool in pools:
            free.give(pool.demand)
        soon = self._now + self._snapshot.policy.of(job).patience
        for live, ends_at in self._expected_ends:
            if ends_at <= soon and live.job.name not in self._stopped:
                free.give_back(live.job, live.attempt.demand)
        return free.fits(job)

    def release_job(self, victim: LiveJob, continues_on: Demand = NOTHING) -> None:
        self._stopped.add(victim.job.name)
        self._release(victim, continues_on)

    def _release(self, victim: LiveJob, continues_on: Demand) -> None:
        """Records that the instances of a stopped job become free, except those on which it continues."""
        self.projected.give_back(victim.job, victim.attempt.demand)
        if continues_on != NOTHING:
            self.projected.take_back(victim.job, continues_on)
            ends = self._now + victim.job.spec.max_runtime
            self._planned_ends.append(CapacityChange(ends, continues_on, victim.job))

    def can_widen(self, live: LiveJob, wider: Job) -> bool:
        """Returns whether a running job could exchange its instances for those of `wider`, in all periods."""
        both = (_without(free, live) for free in (self.free, self.projected))
        return all(free.fits(wider) for free in both) and self.horizon.allows_restart(wider)

    def widen(self, live: LiveJob, wider: Job) -> None:
        for free in (self.free, self.projected):
            free.give_back(live.job, live.attempt.demand)
            free.take_for(wider)
        self.horizon.reserve(wider, self._now)

    def choose_pools_to_release(self, demand: Demand, free: FreeCapacity) -> tuple[FreeCapacity, tuple[WarmPool, ...]]:
        """Chooses the warm pools to release for the demand. Returns the instances that are then free, and these pools.

        Pools are released before jobs are stopped, since a release loses no work.
        """
        free, chosen = free.copy(), []
        for pool in self._pools:
            if any(free.lacks(line, count) for line, count in demand.counts if pool.demand[line]):
                chosen.append(pool)
                free.give(pool.demand)
        return free, tuple(chosen)

    def release_pool(self, pool: WarmPool) -> None:
        self._remove_pool(pool)
        self.projected.give(pool.demand)

    def hold_for(self, job: Job) -> None:
        """Holds for the job the instances that are being released for it, and as many free instances as it needs."""
        self.projected.take_for(job)
        self.horizon.reserve(job, self._now)
        self.free.take_up_to_for(job)
        self._planned_ends.append(CapacityChange(self._now + job.spec.max_runtime, job.spec.demand, job))
        self._renew_reservations()

    def reserve(self, job: Job, rank: Rank, claim: Claim | None = None) -> None:
        """Reserves the first time at which the job certainly fits alongside the earlier reservations.

        By then, enough running jobs have reached their time limits, and the calendar allows the start. If the job has a
        claim, other jobs that preempt may delay its start, but they leave it the claimed jobs to preempt.
        """
        free, planned_ends = self.projected.copy(), self._planned_ends.copy()
        for pool in self._pools:
            free.give(pool.demand)  # a pool is released if only its instances are missing
        team = self.limits.team_name(job) if not claim and free.is_over_ceiling_with(job) else None
        for reservation in self.reservations:
            free.take_for(reservation.job)
            ends = reservation.start + reservation.job.spec.max_runtime
            planned_ends.append(CapacityChange(ends, reservation.job.spec.demand, reservation.job))
        running_ends = (  # the latest possible ends, earliest first; `projected` already includes the stopped jobs
            CapacityChange(max(live.ends_by, self._now), live.attempt.demand, live.job)
            for live in self._staying
            if live.job.name not in self._stopped
        )
        changes = merge(running_ends, self.horizon.budget_changes(), sorted(planned_ends, key=_AT), key=_AT)
        start = inf
        for change in changes:
            if change.at > start:
                break
            if change.job:
                free.give_back(change.job, change.demand)
            else:
                free.give(change.demand)
            if start == inf and free.fits(job) and self.horizon.allows(job, change.at):
                start = change.at  # other instances that become free at this time are spare
        free.take_for(job)
        self.reservations.append(BackfillReservation(job, rank, start, free, claim, team))

    def _remove_pool(self, removed: WarmPool) -> None:
        self._pools.remove(removed)
        if matching := self._pools_by_key.get(removed.pool_key):
            self._pools_by_key[removed.pool_key] = [pool for pool in matching if pool is not removed]

    def _renew_reservations(self) -> None:
        """Recomputes all reservations, since a job of lower rank may have reserved the instances that are now held."""
        before, self.reservations = self.reservations, []
        for reservation in before:
            self.reserve(reservation.job, reservation.rank, reservation.claim)

    @cached_property
    def _expected_ends(self) -> list[tuple[LiveJob, float]]:
        """Returns the running jobs that are not overdue, with their expected ends. Cached: many jobs need them."""
        expected = self._snapshot.runtime_stats.expected_run_time
        ends = ((live, live.started_at.timestamp() + expected(live.job)) for live in self._staying)
        return [(live, at) for live, at in ends if self._now < at]


def _without(free: FreeCapacity, live: LiveJob) -> FreeCapacity:
    """Returns the instances that would be free without this job."""
    free = free.copy()
    free.give_back(live.job, live.attempt.demand)
    return free
