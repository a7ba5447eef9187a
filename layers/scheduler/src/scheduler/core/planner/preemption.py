"""Which running jobs make room for a newcomer: only lower ones, only for a proven fit, none more than needed."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from scheduler.core.jobs.demand import Demand, total
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.aging import protected_by_starvation_share
from scheduler.core.planner.ordering.fair_share import Ranks
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot


def choose_victims(demand: Demand, available: FreeCapacity, lower: Iterable[LiveJob]) -> tuple[LiveJob, ...]:
    """The jobs to stop so that the demand fits into what is available then; empty if no choice makes it fit.

    `lower` are the jobs that may be stopped for it, in eviction order.
    """
    room, taken = available.copy(), []
    for candidate in lower:
        if room.has(demand):
            break
        if candidate.attempt.demand.shares_a_type_with(demand):
            taken.append(candidate)
            room.give(candidate.attempt.demand)
    if not room.has(demand):
        return ()
    return _spare_unneeded(demand, room, taken)


def preemptible_jobs(snapshot: Snapshot, ranks: Ranks, now: datetime) -> list[LiveJob]:
    """The live jobs that may be preempted at all: lowest rank first, then least unsaved work, then name."""
    spared = protected_by_starvation_share(snapshot.live, snapshot.budget, snapshot.policy)
    latest_start = now - timedelta(seconds=snapshot.policy.protected_run_time)
    candidates = [
        live
        for live in snapshot.live
        if _may_be_preempted(live, snapshot.policy, latest_start) and live.job.name not in spared
    ]
    return sorted(candidates, key=lambda live: (ranks.of(live.job), _loss(live, now)))


def stoppable_jobs(snapshot: Snapshot, ranks: Ranks, now: datetime) -> list[LiveJob]:
    """All that can be stopped, where neither patience nor protected run time counts: never-preempt jobs come last."""
    running = [live for live in snapshot.live if _can_be_stopped(live)]
    return sorted(running, key=lambda live: (live.job.never_preempt, ranks.of(live.job), _loss(live, now)))


def choose_over_budget_victims(excess: Demand, in_order: Sequence[LiveJob]) -> tuple[LiveJob, ...]:
    """The jobs to stop so that the rest fits a budget that was shrunk, in their order, none more than needed.

    Where others than they hold a part of the excess, as much of it goes as they hold.
    """
    held = total(live.attempt.demand for live in in_order)
    their_part = Demand.of({kind: min(count, held[kind]) for kind, count in excess.counts})
    return choose_victims(their_part, FreeCapacity(), in_order)


def _loss(live: LiveJob, now: datetime) -> tuple[bool, float, str]:
    # Jobs without checkpoints come last: they lose everything.
    return (live.job.checkpoint_uri is None, live.unsaved_work(now), live.job.name)


def patience_has_passed(job: Job, policy: Policy, now: datetime) -> bool:
    return now - job.waits_since >= timedelta(seconds=policy.patience)


def _may_be_preempted(live: LiveJob, policy: Policy, latest_start: datetime) -> bool:
    return (
        live.started_at <= latest_start
        and not live.job.never_preempt
        and live.job.preemptions < policy.preemptions_per_job
        and _can_be_stopped(live)
    )


def _can_be_stopped(live: LiveJob) -> bool:
    # An attempt whose creation is not confirmed cannot be stopped yet.
    return live.is_readable and live.job.state is JobState.RUNNING and live.attempt.created


def _spare_unneeded(demand: Demand, room: FreeCapacity, taken: Sequence[LiveJob]) -> tuple[LiveJob, ...]:
    # From the last one taken: the jobs most worth keeping are spared first.
    kept = list(taken)
    for candidate in reversed(taken):
        room.take(candidate.attempt.demand)
        if room.has(demand):
            kept.remove(candidate)
        else:
            room.give(candidate.attempt.demand)
    return tuple(kept)
