"""Chooses the running jobs to stop: for another job, for a smaller budget, or for a used-up spending limit.

It chooses no more jobs than needed.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from scheduler.core.calendar.calendar import Excess
from scheduler.core.jobs.demand import NOTHING, Demand, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.aging import protected_by_starvation_share
from scheduler.core.planner.ordering.fair_share import Ranks
from scheduler.core.planner.plan_draft import PlanDraft
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot

#: The part of an attempt that a preemption may lose within the protected run time.
SMALL_LOSS = 0.1


def choose_victims(
    demand: Demand, available: FreeCapacity, lower: Iterable[LiveJob], above_budget: Demand = NOTHING
) -> tuple[LiveJob, ...]:
    """Returns the jobs to stop so that the demand fits the available instances; empty if it would not fit even then.

    `lower` lists the jobs that may be stopped, in the order in which to stop them. `above_budget` is the part of the
    excess that unmanaged jobs hold: no job is stopped only to offset it.
    """
    free, taken = available.copy(), []
    free.give(above_budget)
    for candidate in lower:
        if free.has(demand):
            break
        if candidate.attempt.demand.shares_a_type_with(demand):
            taken.append(candidate)
            free.give_back(candidate.job, candidate.attempt.demand)
    victims = _spare_unneeded(demand, free, taken) if free.has(demand) else ()
    free.take(above_budget)
    return victims if free.has(demand) else ()


def preemptible_jobs(snapshot: Snapshot, ranks: Ranks, now: datetime) -> list[LiveJob]:
    """Returns the live jobs that may be preempted, lowest rank first and, within a rank, least lost work first."""
    return _in_order_of_rank(
        [live for live in _unprotected(snapshot, now) if not _is_used_up(live, snapshot)], snapshot, ranks, now
    )


def used_up_borrowers(snapshot: Snapshot, ranks: Ranks, now: datetime) -> list[LiveJob]:
    """Returns the jobs on borrowed instances that have used up their preemptions, in the order to preempt them.

    Only the owner of a quota may preempt these jobs. Otherwise, they could keep the owner's instances indefinitely.
    """
    if not ranks.below_quota:
        return []
    borrowers = [live for live in _unprotected(snapshot, now) if live.job.name not in ranks.below_quota]
    used_up = [live for live in borrowers if _preemptions(live, snapshot) and _is_used_up(live, snapshot)]
    return _in_order_of_rank(used_up, snapshot, ranks, now)


def stop_over_budget(draft: PlanDraft, snapshot: Snapshot, ranks: Ranks, now: datetime) -> None:
    """Stops jobs until the remaining jobs fit a shrunk budget, for the instance types whose excess rule requires it.

    Excess.STOP also stops jobs within their protected run time and, last of all, never-preempt jobs.
    """
    if not _above_budget(draft, snapshot):
        return
    _stop_until_it_fits(draft, snapshot, Excess.PREEMPT, draft.preemptible)
    running = [live for live in snapshot.live if _can_be_stopped(live)]
    running.sort(
        key=lambda live: (
            live.job.is_never_preempted,
            ranks.of(live.job),
            _preemption_cost(live, snapshot.policy, now),
        )
    )
    _stop_until_it_fits(draft, snapshot, Excess.STOP, running)


def _stop_until_it_fits(draft: PlanDraft, snapshot: Snapshot, mode: Excess, in_order: Sequence[LiveJob]) -> None:
    def excess() -> Demand:
        """Returns the instances held above the budget, for the types with this excess mode."""
        above = _above_budget(draft, snapshot).items()
        return Demand.of({line: count for line, count in above if snapshot.excess.of(line) is mode})

    _, pools = draft.ledger.choose_pools_to_release(excess(), FreeCapacity())
    draft.release_pools(pools)
    running = [live for live in in_order if not draft.is_evicted(live.job)]
    # If other holders account for part of the excess, these jobs can free only their own instances.
    held = total(live.attempt.demand for live in running)
    their_part = Demand.of({line: min(count, held[line]) for line, count in excess().counts})
    victims = choose_victims(their_part, FreeCapacity(), running)
    draft.evict(victims, Reason(ReasonCode.OVER_BUDGET, f"the budget was reduced to {snapshot.budget.limit}"))


def _above_budget(draft: PlanDraft, snapshot: Snapshot) -> dict[str, int]:
    """Returns the instances held above the budget for which jobs may be stopped, by line."""
    unmanaged = unmanaged_above_budget(draft, snapshot)
    above = {line: -count - unmanaged[line] for line, count in draft.ledger.projected.items()}
    return {line: count for line, count in above.items() if count > 0}


def unmanaged_above_budget(draft: PlanDraft, snapshot: Snapshot) -> Demand:
    """Returns the instances that unmanaged jobs hold above the budget; none if the budget also covers unmanaged jobs.

    If the budget covers only the queue, unmanaged jobs count only if they have the names of attempts. Anybody could
    have created such jobs: no job starts on their instances, but no job is stopped because of such jobs.
    """
    if snapshot.is_account_budget:
        return NOTHING
    held, projected = snapshot.held_by_unmanaged_jobs, draft.ledger.projected.items()
    return Demand.of({line: min(held[line], -count) for line, count in projected if count < 0 < held[line]})


def stop_over_spending_limit(draft: PlanDraft, snapshot: Snapshot, now: datetime) -> None:
    """Stops preemptible jobs whose spending limit is used up, if stopping them now loses little work."""
    for victim, reason in snapshot.spending_status.jobs_to_stop(draft.preemptible, now):
        draft.evict([victim], reason)


def has_run_out_of_patience(job: Job, policy: Policy, now: datetime) -> bool:
    return now - job.waits_since >= timedelta(seconds=policy.of(job).patience)


def _preemption_cost(live: LiveJob, policy: Policy, now: datetime) -> tuple[bool, float, str]:
    unsaved = live.unsaved_work(now)
    is_known = unsaved.is_measured or live.has_no_save
    if is_known and unsaved.seconds > policy.unsaved_grace:
        return (False, 0.0, live.job.name)  # otherwise, a job could protect itself by never saving
    # Jobs without a save come last: they lose all their work.
    return (live.has_no_save, unsaved.seconds, live.job.name)


def _in_order_of_rank(jobs: Iterable[LiveJob], snapshot: Snapshot, ranks: Ranks, now: datetime) -> list[LiveJob]:
    return sorted(jobs, key=lambda live: (ranks.of(live.job), _preemption_cost(live, snapshot.policy, now)))


def _unprotected(snapshot: Snapshot, now: datetime) -> list[LiveJob]:
    """Returns the live jobs that may be preempted, unless they have used up their preemptions."""
    protected = protected_by_starvation_share(snapshot.live, snapshot.budget, snapshot.policy)
    return [live for live in snapshot.live if _may_be_preempted(live, snapshot, now) and live.job.name not in protected]


def _is_used_up(live: LiveJob, snapshot: Snapshot) -> bool:
    return live.job.status.preemptions >= _preemptions(live, snapshot)


def _preemptions(live: LiveJob, snapshot: Snapshot) -> int:
    return snapshot.policy.of(live.job).preemptions_per_job


def _may_be_preempted(live: LiveJob, snapshot: Snapshot, now: datetime) -> bool:
    is_protected = live.job.is_never_preempted or _would_lose_much(live, snapshot.policy, now)
    return not is_protected and _can_be_stopped(live)


def _would_lose_much(live: LiveJob, policy: Policy, now: datetime) -> bool:
    """Returns whether the attempt is within its protected run time, and a preemption would lose much of it."""
    run_time = (now - live.started_at).total_seconds()
    unsaved = live.unsaved_work(now).seconds if live.is_known_to_train else 0.0
    lost = unsaved + max(policy.restart_time, live.start_up)  # a restart takes at least as long as this start did
    return run_time < policy.of(live.job).protected_run_time and lost > run_time * SMALL_LOSS


def _can_be_stopped(live: LiveJob) -> bool:
    # An attempt whose creation is not confirmed cannot be stopped yet.
    return live.is_readable and live.job.status.state is JobState.RUNNING and live.attempt.created


def _spare_unneeded(demand: Demand, free: FreeCapacity, taken: Sequence[LiveJob]) -> tuple[LiveJob, ...]:
    # In reverse order, so that the jobs most worth keeping are spared first.
    victims = list(taken)
    for candidate in reversed(taken):
        free.take_back(candidate.job, candidate.attempt.demand)
        if free.has(demand):
            victims.remove(candidate)
        else:
            free.give_back(candidate.job, candidate.attempt.demand)
    return tuple(victims)
