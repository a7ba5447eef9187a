"""Makes the plan: which jobs start now, which running jobs are stopped for them, and why the other jobs wait.

The job with the highest priority starts first; among equals, the job that has waited longest. If it does not fit, it
preempts running jobs of strictly lower rank, but only if it then fits.

The first job that does not fit gets a reservation. A job behind it may pass if it cannot delay the reservation.
Instances that are being released for a job are held for that job.

A job that is not allowed to preempt yet claims the running jobs that it would preempt. A job behind it that may preempt
now can pass it, but leaves the claimed jobs alone if its rank is lower, or the same with fewer instances.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from math import inf
from operator import attrgetter

from scheduler.core.calendar.calendar import Period
from scheduler.core.calendar.times.timers import reason_to_wait
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ChoiceOrder
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.elastic.growing import grow_jobs
from scheduler.core.planner.elastic.narrowing import choose_elastic_first, describe
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.continuing_jobs import at_kept_width
from scheduler.core.planner.ordering.queue_order import QueueOrder, order_queue
from scheduler.core.planner.ordering.running_caps import RunningCaps
from scheduler.core.planner.placement.alternative_selection import open_choices, select_alternatives
from scheduler.core.planner.placement.checkpoint_prefixes import CheckpointPrefixes
from scheduler.core.planner.placement.reservations import BackfillReservation, Claim, Precedence
from scheduler.core.planner.placement.share_check import ShareCheck, shortfall
from scheduler.core.planner.placement.shortage_avoidance import ShortageAvoidance
from scheduler.core.planner.plan import Launch, Plan, Victim, Waits
from scheduler.core.planner.plan_draft import PlanDraft
from scheduler.core.planner.preemption import (
    has_run_out_of_patience,
    preemptible_jobs,
    stop_over_budget,
    stop_over_spending_limit,
    unmanaged_above_budget,
    used_up_borrowers,
)
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.sections.durations import format_duration
from scheduler.core.warm_pools.offers import keep_alive
from scheduler.core.warm_pools.warm_pool import WarmPool


def plan(snapshot: Snapshot, now: datetime) -> Plan:
    """Decides on every queued job in the snapshot. Pure: the same snapshot and time give the same plan."""
    snapshot = select_alternatives(snapshot, now)
    order = order_queue(snapshot, now)
    if snapshot.blocked:
        jobs = (*order.jobs, *order.held_by_spending.jobs)
        return Plan(waits=Waits(jobs, (snapshot.blocked,) * len(jobs)))
    used_up = used_up_borrowers(snapshot, order.ranks, now)
    draft = PlanDraft(snapshot, now, preemptible_jobs(snapshot, order.ranks, now), used_up)
    stop_over_budget(draft, snapshot, order.ranks, now)
    stop_over_spending_limit(draft, snapshot, now)
    _JobDecisions(snapshot, now, order, draft).decide_all(order.jobs)
    grow_jobs(draft, snapshot, order.ranks, now)
    return draft.finished(order.held_by_spending)


class _JobDecisions:
    """Decides on queued jobs one by one, in queue order."""

    def __init__(self, snapshot: Snapshot, now: datetime, order: QueueOrder, draft: PlanDraft) -> None:
        self._snapshot, self._now, self._ranks = snapshot, now, order.ranks
        self._ahead_of_rank = order.beneficiaries | order.aged_jobs
        self._draft, self._ledger = draft, draft.ledger
        self._shortages = ShortageAvoidance(snapshot, now)
        self._prefixes = CheckpointPrefixes(sorted((live.job for live in snapshot.live), key=attrgetter("name")))
        self._shares = ShareCheck(snapshot, self._ledger.limits, self._ledger.limit, order.ranks)
        self._caps = RunningCaps(snapshot)
        self._continuing = {job.name: at_kept_width(job) for job in order.jobs if job.continues}  # not decided on yet
        # Reasons that also apply to all later jobs of the same kind, which then need no decisions of their own.
        self._reasons_by_demand_and_limit: dict[tuple[object, int], Reason] = {}
        self._reasons_by_demand: dict[object, Reason] = {}

    def decide_all(self, jobs: Iterable[Job]) -> None:
        by_demand, by_demand_and_limit = self._reasons_by_demand, self._reasons_by_demand_and_limit
        for queued in jobs:
            self._continuing.pop(queued.name, None)
            job = self._with_best_choice(queued) if queued.choices else queued
            not_before, kind = job.status.not_before, self._ledger.kind_of(job)
            if held_back := reason_to_wait(job, self._now):
                self._draft.wait(job, held_back)
            elif not_before is not None and not self._shortages.is_due(job):
                retry_at = f"{not_before.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
                self._wait(job, ReasonCode.BACKING_OFF, f"its last attempt failed; it can start again at {retry_at}")
            elif pool := self._ledger.matching_pool(job):
                self._decide(job, pool)
            elif reason := by_demand.get(kind) or by_demand_and_limit.get((kind, job.spec.max_runtime)):
                self._draft.wait(job, reason)
            else:
                self._decide(job)

    def _with_best_choice(self, job: Job) -> Job:
        """Returns the job with its first open choice that can start now.

        If none can, returns it unchanged, or with its first open choice within the cap on interactive jobs.
        A job that continues after growing takes only instances that are not kept for other growing jobs.
        """
        first, planned = None, None if self._caps.interactive.refusal(job) else job
        for option in open_choices(job, self._snapshot, self._shortages, self._ledger.limit, self._now):
            if self._caps.interactive.refusal(option):
                continue
            planned = planned or option
            is_free = self._ledger.matching_pool(option) or self._ledger.can_start(option)
            if is_free and not self._ledger.horizon.first_conflict(option):
                if not job.continues or self._ledger.fits_with(option, self._continuing.values()):
                    return option
                first = first or option
        return first or planned or job

    def _decide(self, job: Job, pool: WarmPool | None = None) -> None:
        if not self._ledger.limit.has(job.spec.demand):
            self._set_aside(job)
            return
        if refusal := self._shares.refusal(job) or self._caps.interactive.refusal(job):
            self._draft.wait(job, refusal)
            return
        subnet = pool.subnet if pool else self._shortages.subnet_for(job)
        if subnet is None:
            self._draft.wait(job, self._shortages.shortage_reason(job))
            return
        can_start = pool is not None or self._ledger.can_start(job)
        ahead = None if can_start else self._ledger.reservation_ahead_of(job, self._ranks.of(job))
        if ahead and not (ahead.claim and self._may_preempt_now(job)):
            self._wait_behind(job, ahead)
        elif writer := self._prefixes.conflicting_job(job.spec.checkpoint_uri):
            message = f"{writer} uses the same checkpoint prefix"
            self._draft.wait(job, Reason(ReasonCode.WAITS_FOR_CHECKPOINT_PREFIX, message, waits_for=writer))
        elif refusal := self._caps.refusal(job):
            self._draft.wait(job, refusal)
        elif conflict := self._ledger.horizon.first_conflict(job):
            self._wait_for_calendar(job, conflict)
        elif can_start:
            self._launch(job, subnet, pool)
        else:
            self._free_instances_for(job, subnet, ahead)

    def _set_aside(self, job: Job) -> None:
        """Handles a job that the whole budget cannot hold: it waits for a larger budget, or is parked."""
        limit = ", ".join(f"{self._ledger.limit.get(line, 0)} × {line}" for line in job.spec.demand)
        message = f"needs {job.spec.demand}, but the whole budget is {limit}"
        # A later budget may be large enough: an operator may restore the earlier budget tomorrow, and the calendar may
        # offer more in two months. If rules refuse a choice that the budget could hold, these rules may also change.
        budgets = (self._snapshot.budget, self._snapshot.largest_later_budget or self._snapshot.budget)
        if self._ledger.horizon.earliest_start(job) < inf:
            rank = self._ranks.of(job)
            if ahead := self._ledger.reservation_ahead_of(job, rank):
                self._wait_behind(job, ahead)
            else:
                self._ledger.reserve(job, rank)
                self._wait(job, ReasonCode.WAITS_FOR_CALENDAR, f"{message} until the calendar opens a larger budget")
        elif any(budget.could_ever_run(option.spec.demand) for budget in budgets for option in job.each_choice):
            reason = Reason(ReasonCode.EXCEEDS_BUDGET, f"{message} for now")
            self._draft.wait(job, reason)
            if not (job.choices or self._snapshot.periods):
                self._reasons_by_demand[self._ledger.kind_of(job)] = reason
        else:
            self._draft.park(job, Reason(ReasonCode.EXCEEDS_BUDGET, message))

    def _wait_for_calendar(self, job: Job, conflict: Period) -> None:
        """Makes the job wait for the calendar, and reserves instances for it in the upcoming periods.

        The reservation does not delay jobs that end, or can be stopped, before it begins.
        """
        horizon = self._ledger.horizon
        earliest = horizon.earliest_start(job)
        message = f"it can neither end nor be preempted in time: {horizon.describe(conflict, job)}"
        if earliest == inf:
            message += "; the calendar allows no start for 28 days: set a shorter time limit or save checkpoints"
        self._wait(job, ReasonCode.WAITS_FOR_CALENDAR, message)
        horizon.reserve(job, earliest)

    def _wait_behind(self, job: Job, ahead: BackfillReservation) -> None:
        message = f"{ahead.job.name} is ahead of it and waits for the same instances"
        reason = Reason(ReasonCode.WAITS_BEHIND, message, waits_for=ahead.job.name)
        self._draft.wait(job, reason)
        if job.name in self._ahead_of_rank or (ahead.claim and not self._may_preempt_now(job)):
            return
        # The reason applies to all later jobs of the same kind: free capacity and ranks only decrease from here on.
        if self._ledger.free.has(job.spec.demand):
            self._reasons_by_demand_and_limit[self._ledger.kind_of(job), job.spec.max_runtime] = reason
        else:
            self._reasons_by_demand[self._ledger.kind_of(job)] = reason

    def _launch(self, job: Job, subnet: str, pool: WarmPool | None) -> None:
        message = f"it matches the warm pool of {pool.name}" if pool else f"{job.spec.demand} of the budget is free"
        if job.options.order is ChoiceOrder.BEST:
            message += f"; {self._snapshot.choice_costs.sentence(job)}"
        seconds = keep_alive(self._snapshot.pool_rules, job, pool, self._now.timestamp())
        is_asked_for = pool is not None or job.spec.keep_alive > 0
        if not is_asked_for and self._snapshot.capacity.refuses_keep_alive(job.spec.demand, self._now):
            seconds = 0
        self._draft.launch(Launch(job, Reason(ReasonCode.FITS, message), subnet, seconds, pool))
        self._record_start(job)
        if not pool:
            self._shortages.record_start(job, subnet)

    def _record_start(self, job: Job) -> None:
        """Counts a job that starts, or for which instances are being freed, towards the limits on later jobs."""
        self._prefixes.add(job)
        self._caps.record_start(job)
        self._shares.record_start(job)

    def _free_instances_for(self, job: Job, subnet: str, passed: BackfillReservation | None) -> None:
        """Releases warm pools or preempts jobs if the job then fits, and otherwise reserves a later start."""
        available = self._ledger.available_for(job)
        needed = NOTHING if passed else job.spec.demand  # a job that is passed also keeps the pools
        available, pools = self._ledger.choose_pools_to_release(needed, available)
        if available.has(job.spec.demand):
            source = "warm pools" if pools else "stopping jobs"
            message = f"needs {job.spec.demand}; {source} will free these instances soon"
            self._wait(job, ReasonCode.WAITS_FOR_STOPPING, message)
        elif not (victims := self._victims_for(job, available)):
            self._wait_for_running_jobs(job, available, passed)
            return
        elif hindrance := self._hindrance(job, pools, victims):
            self._claim(job, victims, hindrance)
            return
        else:
            self._draft.preempt(victims, job)
            self._wait(job, ReasonCode.WAITS_FOR_PREEMPTION, f"preempts {describe(victims)}")
        self._draft.release_pools(pools)
        self._ledger.hold_for(job)
        self._record_start(job)
        self._shortages.record_start(job, subnet)

    def _victims_for(self, job: Job, available: FreeCapacity) -> tuple[Victim, ...]:
        """Returns the running jobs to stop so that the job fits; empty if it would not fit even then."""
        rank = self._ranks.of(job)
        lower: Iterable[LiveJob] = takewhile(lambda live: self._ranks.of(live.job) < rank, self._draft.preemptible)
        if used_up := [live for live in self._draft.used_up_borrowers if self._shares.takes_back(job, live.job)]:
            # Jobs within a quota come last: their team could take the instances back at once.
            lower = sorted((*lower, *used_up), key=lambda live: live.job.name in self._ranks.below_quota)
        claimed = self._ledger.claimed_ahead_of(job, self._precedence(job))
        spared = self._shares.spares
        unclaimed = (live for live in lower if live.job.name not in claimed and not spared(job, live.job))
        above_budget = unmanaged_above_budget(self._draft, self._snapshot)
        return choose_elastic_first(job.spec.demand, available, unclaimed, above_budget)

    def _wait_for_running_jobs(self, job: Job, available: FreeCapacity, passed: BackfillReservation | None) -> None:
        if passed:
            self._wait_behind(job, passed)
            return
        self._ledger.reserve(job, self._ranks.of(job))
        self._draft.wait(job, shortfall(job, available))

    def _hindrance(self, job: Job, pools: Iterable[WarmPool], victims: Iterable[Victim]) -> str:
        """Returns why the job is not allowed to preempt yet; empty if it is.

        The owner of a quota does not wait for expected ends: one expected end after another could keep it waiting
        forever.
        """
        patience = self._snapshot.policy.of(job).patience
        if not self._may_preempt_now(job):
            due = job.waits_since + timedelta(seconds=patience)
            return f"after {due.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
        takes_back = any(self._shares.takes_back(job, victim.live.job) for victim in victims)
        if not takes_back and self._ledger.fits_within_patience(job, pools):
            return f"unless enough instances become free within {format_duration(patience)}"
        return ""

    def _claim(self, job: Job, victims: Sequence[Victim], hindrance: str) -> None:
        names = [victim.live.job.name for victim in victims]
        self._ledger.reserve(job, self._ranks.of(job), Claim(self._precedence(job), frozenset(names)))
        message = f"needs {job.spec.demand}; it will preempt {describe(victims)} {hindrance}"
        self._wait(job, ReasonCode.WAITS_TO_PREEMPT, message)

    def _precedence(self, job: Job) -> Precedence:
        return (self._ranks.of(job), sum(count for _, count in job.spec.demand.counts))

    def _may_preempt_now(self, job: Job) -> bool:
        return has_run_out_of_patience(job, self._snapshot.policy, self._now)

    def _wait(self, job: Job, code: ReasonCode, message: str) -> None:
        self._draft.wait(job, Reason(code, message))
