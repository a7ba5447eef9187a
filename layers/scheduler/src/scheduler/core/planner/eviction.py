"""Stops running jobs that a smaller budget or a used-up spending limit no longer allows.

The planner does this before it considers any queued job.
"""

from collections.abc import Sequence
from datetime import datetime

from scheduler.core.calendar.period import Excess
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.fair_share import Ranks
from scheduler.core.planner.plan_draft import PlanDraft
from scheduler.core.planner.preemption import choose_over_budget_victims, stoppable_jobs
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.stopping import jobs_to_stop


def stop_over_budget(draft: PlanDraft, snapshot: Snapshot, ranks: Ranks, now: datetime) -> None:
    """Stops jobs until the rest fits a budget that was shrunk, as far as the excess rule asks for it."""
    if min(draft.ledger.projected.values(), default=0) >= 0:
        return
    _stop_until_it_fits(draft, snapshot, Excess.PREEMPT, draft.preemptible)
    _stop_until_it_fits(draft, snapshot, Excess.STOP, stoppable_jobs(snapshot, ranks, now))


def stop_over_spending_limit(draft: PlanDraft, snapshot: Snapshot, now: datetime) -> None:
    """Stops preemptible jobs that have just saved a checkpoint and whose spending limit is used up."""
    for victim, reason in jobs_to_stop(snapshot.spending_status, draft.preemptible, now):
        draft.evict([victim], reason)


def _stop_until_it_fits(draft: PlanDraft, snapshot: Snapshot, mode: Excess, in_order: Sequence[LiveJob]) -> None:
    _, pools = draft.ledger.choose_pools_to_release(_excess(draft, snapshot, mode), FreeCapacity())
    draft.release_pools(pools)
    running = [live for live in in_order if not draft.is_evicted(live.job)]
    victims = choose_over_budget_victims(_excess(draft, snapshot, mode), running)
    draft.evict(victims, Reason(ReasonCode.OVER_BUDGET, f"the budget was shrunk to {snapshot.budget.limit}"))


def _excess(draft: PlanDraft, snapshot: Snapshot, mode: Excess) -> Demand:
    """Returns how much is held above the budget, of the instance types with this mode."""
    rule = snapshot.excess
    return Demand.of(
        {
            instance_type: -count
            for instance_type, count in draft.ledger.projected.items()
            if count < 0 and rule.of(instance_type) is mode
        }
    )
