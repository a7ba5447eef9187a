"""Gives long-waiting jobs a share of the budget, whatever their priority.

The share is bounded, and aging does not raise priorities: under overload all jobs wait long, and jobs with raised
priorities would displace urgent jobs.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.ordering.running_caps import RunningCaps
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.shared_capacity import TeamLimits, whole_budget, with_shares
from scheduler.core.planner.snapshot import Snapshot


def aged_jobs(snapshot: Snapshot, now: datetime) -> list[Job]:
    """Returns the jobs that may use the starvation share now, oldest first.

    Jobs that a cap holds take nothing from the share. For each job, only older live jobs count against it. Younger live
    jobs got their instances through their priority: if they counted too, the oldest job would starve whenever urgent
    jobs also wait long.
    """
    latest = now - timedelta(seconds=snapshot.policy.starvation_after)
    old = [job for job in snapshot.queued if job.eligible_since <= latest]
    if not old:
        return []
    share, caps = _StarvationShare(snapshot.budget, snapshot.policy), RunningCaps(snapshot)
    holders = deque(_aged_live_jobs(snapshot.live, snapshot.policy))
    chosen: list[Job] = []
    kept: set[str] = set()  # lines on which an older job waits for the share, so that no younger job takes it
    for job in sorted(_without_hopeless(old, snapshot), key=_order_of_age):
        while holders and _order_of_age(holders[0].job) < _order_of_age(job):
            share.take(holders.popleft().attempt.demand)
        if caps.refusal(job):
            continue
        if kept.isdisjoint(job.spec.demand) and share.has(job.spec.demand):
            share.take(job.spec.demand)
            caps.record_start(job)
            chosen.append(job)
        else:
            kept.update(job.spec.demand)
    return chosen


def _without_hopeless(old: list[Job], snapshot: Snapshot) -> Iterator[Job]:
    """Yields the jobs that the budget and the team's share allow: a job that can never start must block none."""
    limits = TeamLimits(snapshot.policy.teams)
    whole, held = whole_budget(snapshot, limits), with_shares(FreeCapacity(), limits, snapshot.live)
    return (job for job in old if whole.fits(job) and not held.is_over_ceiling_with(job))


def protected_by_starvation_share(running: Iterable[LiveJob], budget: Budget, policy: Policy) -> frozenset[str]:
    """Returns the names of the jobs that run on the starvation share of this budget and so are not preempted."""
    share = _StarvationShare(budget, policy)
    protected: set[str] = set()
    for live in _aged_live_jobs(running, policy):
        if share.has(live.attempt.demand):
            share.take(live.attempt.demand)
            protected.add(live.job.name)
    return frozenset(protected)


class _StarvationShare:
    """Counts the free part of the share, by line: jobs on one instance type take nothing from those on another.

    The share of a line is rounded down, but is at least one instance: small budgets need it.
    """

    def __init__(self, budget: Budget, policy: Policy) -> None:
        share = policy.starvation_share
        # Rounds first: in floating-point numbers, 100 * 0.29 is less than 29.
        counts = {line: max(1, int(round(count * share, 6))) for line, count in budget.limit.counts if count and share}
        self._free, self._unused = FreeCapacity(counts), set(counts)

    def has(self, demand: Demand) -> bool:
        # A job wider than the share may use it alone; otherwise it would starve forever.
        return self._free.has(demand) or self._unused.issuperset(demand)

    def take(self, demand: Demand) -> None:
        self._free.take(demand)
        self._unused.difference_update(demand)


def _aged_live_jobs(running: Iterable[LiveJob], policy: Policy) -> list[LiveJob]:
    """Returns the live jobs that had waited long enough to use the share, oldest first."""
    limit = timedelta(seconds=policy.starvation_after)
    return sorted((live for live in running if live.had_waited >= limit), key=lambda live: _order_of_age(live.job))


def _order_of_age(job: Job) -> tuple[datetime, str]:
    return (job.eligible_since, job.name)
