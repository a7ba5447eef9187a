"""Gives long-waiting jobs a share of the budget, whatever their priority.

The share is bounded, and aging does not raise priorities: under overload all jobs wait long, and jobs with raised
priorities would displace urgent jobs.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from heapq import nsmallest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.shared_capacity import TeamLimits, whole_budget, with_shares
from scheduler.core.planner.snapshot import Snapshot


def aged_jobs(snapshot: Snapshot, now: datetime) -> list[Job]:
    """Returns the jobs that may use the starvation share now, oldest first.

    For each job, only older live jobs count against the share. Younger live jobs got their instances through their
    priority: if they counted too, the oldest job would starve whenever urgent jobs also wait long.
    """
    latest = now - timedelta(seconds=snapshot.policy.starvation_after)
    old = [job for job in snapshot.queued if job.eligible_since <= latest]
    if not old:
        return []
    share = _starvation_share(snapshot.budget, snapshot.policy)
    max_jobs = sum(share.values())
    holders = deque(_aged_live_jobs(snapshot.live, snapshot.policy))
    chosen: list[Job] = []
    is_used = False
    fitting = _without_hopeless(old, snapshot)
    for job in nsmallest(max_jobs, fitting, key=_order_of_age):
        while holders and _order_of_age(holders[0].job) < _order_of_age(job):
            share.take(holders.popleft().attempt.demand)
            is_used = True
        # A job wider than the share may use it alone; otherwise it would starve forever.
        if is_used and not share.has(job.spec.demand):
            break
        share.take(job.spec.demand)
        is_used = True
        chosen.append(job)
    return chosen


def _without_hopeless(old: list[Job], snapshot: Snapshot) -> Iterator[Job]:
    """Yields the jobs that the budget and the team's share allow: a job that can never start must block none."""
    limits = TeamLimits(snapshot.policy.teams)
    whole, held = whole_budget(snapshot, limits), with_shares(FreeCapacity(), limits, snapshot.live)
    return (job for job in old if whole.fits(job) and not held.is_over_ceiling_with(job))


def protected_by_starvation_share(running: Iterable[LiveJob], budget: Budget, policy: Policy) -> frozenset[str]:
    """Returns the names of the jobs that run on the starvation share of this budget and so are not preempted."""
    share = _starvation_share(budget, policy)
    protected: set[str] = set()
    for live in _aged_live_jobs(running, policy) if share else ():
        if share.has(live.attempt.demand) or not protected:
            share.take(live.attempt.demand)
            protected.add(live.job.name)
    return frozenset(protected)


def _starvation_share(budget: Budget, policy: Policy) -> FreeCapacity:
    """Returns the share of the budget, rounded down, but at least one instance of each type: small budgets need it."""
    share = policy.starvation_share
    # Rounds first: in floating-point numbers, 100 * 0.29 is less than 29.
    counts = {line: max(1, int(round(count * share, 6))) for line, count in budget.limit.counts if count and share}
    return FreeCapacity(counts)


def _aged_live_jobs(running: Iterable[LiveJob], policy: Policy) -> list[LiveJob]:
    """Returns the live jobs that had waited long enough to use the share, oldest first."""
    limit = timedelta(seconds=policy.starvation_after)
    return sorted((live for live in running if live.had_waited >= limit), key=lambda live: _order_of_age(live.job))


def _order_of_age(job: Job) -> tuple[datetime, str]:
    return (job.eligible_since, job.name)
