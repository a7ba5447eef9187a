"""The plan: who starts now, who makes room, who waits and for what.

The policy in one sentence: the job of the highest priority starts first, among equals the one that waits longest; if
it does not fit, running jobs of strictly lower priority make room, but only if it fits then.

The first job that does not fit gets a reservation; a job behind it may pass if it cannot delay it. What is about to be
released for a job is held for that job.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from itertools import takewhile
from math import inf
from operator import attrgetter

from scheduler.core.calendar.period import Excess, Period
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.queue_order import QueueOrder, in_turn
from scheduler.core.planner.placement.alternative_selection import considered, open_choices
from scheduler.core.planner.placement.backfill import Claim
from scheduler.core.planner.placement.capacity_ledger import CapacityLedger
from scheduler.core.planner.placement.checkpoint_prefixes import CheckpointPrefixes
from scheduler.core.planner.placement.placement import Placement
from scheduler.core.planner.plan import Evict, Launch, Park, Plan, Preempt, Release, Reservation, Waits
from scheduler.core.planner.preemption import (
    choose_victims,
    has_been_patient,
    in_eviction_order,
    in_stopping_order,
    to_fit_the_budget,
)
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.stopping import out_of_money
from scheduler.core.warm_pools.offers import keep_alive


def plan(snapshot: Snapshot, now: datetime) -> Plan:
    """Decide on every queued job of the snapshot. Pure: the same snapshot at the same time gives the same plan."""
    snapshot = considered(snapshot, now)
    turns = in_turn(snapshot, now)
    drafting = _Drafting(snapshot, now, turns)
    if snapshot.blocked:
        jobs = (*turns.jobs, *turns.held.jobs)
        return Plan(waits=Waits(jobs, (snapshot.blocked,) * len(jobs)))
    drafting.keep_the_budget()
    drafting.keep_to_the_limits()
    drafting.decide_each(turns.jobs)
    return drafting.finished()


class _Drafting:
    """A plan in the making."""

    def __init__(self, snapshot: Snapshot, now: datetime, turns: QueueOrder) -> None:
        self._snapshot, self._now, self._ranks = snapshot, now, turns.ranks
        self._out_of_turn, self._held = turns.reserved_for | turns.aged_jobs, turns.held
        self._supply = CapacityLedger(snapshot, now.timestamp())
        self._openings = Placement(snapshot, now)
        self._launches: list[Launch] = []
        self._preemptions: list[Preempt] = []
        self._evictions: list[Evict] = []
        self._releases: list[Release] = []
        self._waiting: list[Job] = []
        self._reasons: list[Reason] = []  # why each of them waits
        self._parks: list[Park] = []
        self._launched_by_owner: Counter[str] = Counter()
        self._hopeless: dict[tuple[object, int], Reason] = {}  # by demand and time limit
        self._hopeless_at_all: dict[object, Reason] = {}  # by demand

    def keep_the_budget(self) -> None:
        """Stop what a budget that was shrunk does not hold any more, as far as that is wanted."""
        if min(self._supply.prospect.values(), default=0) >= 0:
            return
        self._make_fit(Excess.PREEMPT, self._evictable)
        self._make_fit(Excess.STOP, in_stopping_order(self._snapshot, self._ranks, self._now))

    def keep_to_the_limits(self) -> None:
        """Stop what has just saved its work, where nothing more may be spent."""
        for victim, reason in out_of_money(self._snapshot.used_up, self._evictable, self._now):
            self._evictions.append(Evict(victim, reason))
            self._supply.release(victim)
            self._evictable = [live for live in self._evictable if live is not victim]

    def _make_fit(self, mode: Excess, in_order: Sequence[LiveJob]) -> None:
        self._release(self._supply.with_pools(self._excess(mode), FreeCapacity())[1])
        gone = {entry.victim.job.name for entry in self._evictions}
        reason = Reason(ReasonCode.OVER_BUDGET, f"the budget was shrunk to {self._snapshot.budget.limit}")
        for victim in to_fit_the_budget(self._excess(mode), [live for live in in_order if live.job.name not in gone]):
            self._evictions.append(Evict(victim, reason))
            self._supply.release(victim)
            self._evictable = [live for live in self._evictable if live is not victim]

    def _excess(self, mode: Excess) -> Demand:
        rule, prospect = self._snapshot.excess, self._supply.prospect
        return Demand.of({kind: -room for kind, room in prospect.items() if room < 0 and rule.of(kind) is mode})

    def decide_each(self, jobs: Iterable[Job]) -> None:
        at_all, within_limit = self._hopeless_at_all, self._hopeless
        for each in jobs:
            job = self._best_of(each) if each.choices else each
            counts = job.demand.counts
            if job.not_before is not None and not self._openings.is_due(job):
                self._wait(job, ReasonCode.BACKING_OFF, f"its next attempt is due at {job.not_before.isoformat()}")
            elif pool := self._supply.pool_for(job):
                self._decide(job, pool)
            elif reason := at_all.get(counts) or within_limit.get((counts, job.max_runtime)):
                self._let_wait(job, reason)
            else:
                self._decide(job)

    def finished(self) -> Plan:
        reservations = tuple(Reservation(held.job, held.starts_at) for held in self._supply.claims)
        return Plan(
            tuple(self._launches),
            tuple(self._preemptions),
            tuple(self._evictions),
            Waits((*self._waiting, *self._held.jobs), (*self._reasons, *self._held.reasons)),
            tuple(self._parks),
            reservations,
            tuple(self._releases),
        )

    def _best_of(self, job: Job) -> Job:
        """The job with the first open choice that is free at once, else with the one that it is considered with."""
        for option in open_choices(job, self._snapshot, self._openings, self._now):
            has_room = self._supply.pool_for(option) or self._supply.can_start(option)
            if has_room and not self._supply.horizon.obstacle(option):
                return option
        return job

    def _decide(self, job: Job, pool: Attempt | None = None) -> None:
        if not self._supply.limit.has(job.demand):
            self._set_aside(job)
            return
        subnet = pool.subnet if pool else self._openings.subnet_for(job)
        if subnet is None:
            self._let_wait(job, self._openings.why_closed(job))
            return
        can_start = pool is not None or self._supply.can_start(job)
        ahead = None if can_start else self._supply.claim_ahead_of(job, self._ranks.of(job))
        if ahead:
            self._stay_behind(job, ahead)
        elif holder := self._prefixes.user_of(job.checkpoint_uri):
            self._wait(job, ReasonCode.WAITS_FOR_CHECKPOINT_PREFIX, f"{holder} writes to the same checkpoint prefix")
        elif self._owner_is_at_cap(job):
            cap = self._snapshot.policy.running_per_owner
            self._wait(job, ReasonCode.OWNER_CAP, f"its owner runs {cap} jobs, as many as one owner may")
        elif obstacle := self._supply.horizon.obstacle(job):
            self._wait_for_end_in_time(job, obstacle)
        elif can_start:
            self._launch(job, subnet, pool)
        else:
            self._make_room(job, subnet)

    def _set_aside(self, job: Job) -> None:
        limit = ", ".join(f"{self._supply.limit.get(kind, 0)} × {kind}" for kind in job.demand)
        message = f"needs {job.demand}, but the whole budget is {limit}"
        budgets = [one for one in (self._snapshot.budget, self._snapshot.at_other_times) if one is not None]
        if self._supply.horizon.earliest(job) < inf:
            self._wait_for_more(job, message)
        elif any(budget.could_ever_run(one.demand) for budget in budgets for one in job.each_choice):
            # What an operator set may be taken back tomorrow, the calendar may have more in two months, and the rules
            # that close what the budget holds may change.
            reason = Reason(ReasonCode.EXCEEDS_BUDGET, f"{message} for now")
            self._let_wait(job, reason)
            if not (job.choices or self._snapshot.periods):
                self._hopeless_at_all[job.demand.counts] = reason
        else:
            self._parks.append(Park(job, Reason(ReasonCode.EXCEEDS_BUDGET, message)))

    def _wait_for_more(self, job: Job, message: str) -> None:
        """Its place is kept in the first period that has it, as any other place that is not there yet."""
        if ahead := self._supply.claim_ahead_of(job, self._ranks.of(job)):
            self._stay_behind(job, ahead)
            return
        self._supply.claim_place(job, self._ranks.of(job))
        self._wait(job, ReasonCode.WAITS_FOR_CALENDAR, f"{message} until the calendar opens a larger one")

    def _wait_for_end_in_time(self, job: Job, obstacle: Period) -> None:
        """It holds up nobody who ends in time or gives way, but nobody else takes its place when it may start."""
        horizon = self._supply.horizon
        message, earliest = (
            f"it can neither end nor give way in time: {horizon.told(obstacle, job)}",
            horizon.earliest(job),
        )
        if earliest == inf:
            message += (
                "; nor can it at any start in the next 28 days, but with a shorter time limit or with checkpoints"
            )
        self._wait(job, ReasonCode.WAITS_FOR_CALENDAR, message)
        horizon.keep_place(job, earliest)

    def _stay_behind(self, job: Job, ahead: Claim) -> None:
        message = f"{ahead.job.name} is ahead of it and waits for the same instances"
        reason = Reason(ReasonCode.WAITS_BEHIND, message)
        self._let_wait(job, reason)
        if job.name not in self._out_of_turn:
            self._give_up_on_all_like(job, reason)

    def _give_up_on_all_like(self, job: Job, reason: Reason) -> None:
        """Room and ranks only fall from here on: nothing like it will find a way in this plan."""
        if self._supply.free.has(job.demand):
            self._hopeless[job.demand.counts, job.max_runtime] = reason
        else:
            self._hopeless_at_all[job.demand.counts] = reason

    def _launch(self, job: Job, subnet: str, pool: Attempt | None) -> None:
        there = f"{pool.name} left the warm pool that it fits" if pool else f"{job.demand} of the budget is free"
        kept = keep_alive(self._snapshot.pool_rules, job, pool, self._now.timestamp())
        self._launches.append(Launch(job, Reason(ReasonCode.FITS, there), subnet, kept, pool))
        self._prefixes.add(job)
        self._launched_by_owner[job.owner_key] += 1
        if pool:
            self._supply.start_on(pool, job)
        else:
            self._openings.take(job, subnet)
            self._supply.start(job)

    def _make_room(self, job: Job, subnet: str) -> None:
        available, pools = self._supply.with_pools(job.demand, self._supply.available_to(job))
        if available.has(job.demand):
            freeing = "warm pools" if pools else "stopping jobs"
            self._wait(job, ReasonCode.WAITS_FOR_STOPPING, f"needs {job.demand}; {freeing} are about to free it")
            self._release(pools)
            self._hold_place(job, subnet)
        elif victims := self._victims_for(job, available):
            self._preempt(job, victims)
            self._release(pools)
            self._hold_place(job, subnet)
        else:
            self._supply.claim_place(job, self._ranks.of(job))
            self._wait(job, ReasonCode.WAITS_FOR_BUDGET, _what_it_lacks(job.demand, available))

    def _hold_place(self, job: Job, subnet: str) -> None:
        self._supply.hold_place(job)
        self._openings.take(job, subnet)

    def _victims_for(self, job: Job, available: FreeCapacity) -> tuple[LiveJob, ...]:
        policy = self._snapshot.policy
        if not has_been_patient(job, policy, self._now):
            return ()
        rank = self._ranks.of(job)
        lower = takewhile(lambda live: self._ranks.of(live.job) < rank, self._evictable)
        victims = choose_victims(job.demand, available, lower)
        return () if victims and self._supply.comes_free_soon(job, available) else victims

    def _preempt(self, job: Job, victims: tuple[LiveJob, ...]) -> None:
        for victim in victims:
            self._preemptions.append(Preempt(victim, job, _why_preempted(victim.job, job)))
            self._evictable.remove(victim)
            self._supply.release(victim)
        names = ", ".join(victim.job.name for victim in victims)
        self._wait(job, ReasonCode.WAITS_FOR_PREEMPTION, f"{names} of lower priority is being stopped for it")

    def _release(self, pools: Iterable[Attempt]) -> None:
        for pool in pools:
            self._releases.append(Release(pool))
            self._supply.release_pool(pool)

    def _wait(self, job: Job, code: ReasonCode, message: str) -> None:
        self._let_wait(job, Reason(code, message))

    def _let_wait(self, job: Job, reason: Reason) -> None:
        self._waiting.append(job)
        self._reasons.append(reason)

    def _owner_is_at_cap(self, job: Job) -> bool:
        cap = self._snapshot.policy.running_per_owner
        return 0 < cap <= self._running_by_owner[job.owner_key] + self._launched_by_owner[job.owner_key]

    @cached_property
    def _prefixes(self) -> CheckpointPrefixes:
        return CheckpointPrefixes(sorted((live.job for live in self._snapshot.live), key=attrgetter("name")))

    @cached_property
    def _running_by_owner(self) -> Counter[str]:
        return Counter(live.job.owner_key for live in self._snapshot.live)

    @cached_property
    def _evictable(self) -> list[LiveJob]:
        return in_eviction_order(self._snapshot, self._ranks, self._now)


def _why_preempted(victim: Job, job: Job) -> Reason:
    if victim.priority < job.priority:
        message = f"preempted by {job.name} (priority {job.priority} over {victim.priority})"
        return Reason(ReasonCode.OUTRANKED, message)
    return Reason(ReasonCode.RECLAIMED, f"it ran on instances that are guaranteed to the team of {job.name}")


def _what_it_lacks(demand: Demand, available: FreeCapacity) -> str:
    there = " + ".join(f"{max(0, available.get(kind, 0))} × {kind}" for kind in demand)
    return f"needs {demand}, free: {there}"
