"""The share of the budget that the longest-waiting jobs may claim, whatever their priority.

It is a bounded share and not a promotion: under overload everybody waits long, and promoted jobs would take the
place of urgent ones.
"""

from collections import deque
from collections.abc import Iterable
from datetime import datetime, timedelta
from heapq import nsmallest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot


def aged_jobs(snapshot: Snapshot, now: datetime) -> list[Job]:
    """The jobs that may claim the share at this moment, longest waiting first.

    Only live jobs that are older still count against the share: younger ones got their instances by their priority,
    and counting them would starve the oldest job wherever urgent ones wait long too.
    """
    latest = now - timedelta(seconds=snapshot.policy.starvation_after)
    old = [job for job in snapshot.queued if job.submitted_at <= latest]
    if not old:
        return []
    room = _share(snapshot.budget, snapshot.policy)
    most = sum(room.values())
    holders = deque(_on_the_share(snapshot.live, snapshot.policy))
    chosen: list[Job] = []
    is_taken = False
    # What the whole budget is too small for, while an operator keeps it small say, must not block the share.
    for job in nsmallest(most, (job for job in old if snapshot.budget.could_ever_run(job.demand)), key=_age):
        while holders and _age(holders[0].job) < _age(job):
            room.take(holders.popleft().attempt.demand)
            is_taken = True
        # A job wider than the share claims it alone, or it would starve for ever.
        if is_taken and not room.has(job.demand):
            break
        room.take(job.demand)
        is_taken = True
        chosen.append(job)
    return chosen


def protected_by_starvation_share(running: Iterable[LiveJob], budget: Budget, policy: Policy) -> frozenset[str]:
    """Those that run on the share of this budget: nobody preempts them."""
    room = _share(budget, policy)
    kept: set[str] = set()
    for live in _on_the_share(running, policy) if room else ():
        if room.has(live.attempt.demand) or not kept:
            room.take(live.attempt.demand)
            kept.add(live.job.name)
    return frozenset(kept)


def _share(budget: Budget, policy: Policy) -> FreeCapacity:
    counts = {kind: int(count * policy.starvation_share) for kind, count in budget.limit.counts}
    return FreeCapacity({kind: count for kind, count in counts.items() if count})


def _on_the_share(running: Iterable[LiveJob], policy: Policy) -> list[LiveJob]:
    """Live jobs that had waited long enough to claim it, oldest first."""
    limit = timedelta(seconds=policy.starvation_after)
    return sorted((live for live in running if live.had_waited >= limit), key=lambda live: _age(live.job))


def _age(job: Job) -> tuple[datetime, str]:
    return (job.submitted_at, job.name)
