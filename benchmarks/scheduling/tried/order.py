"""Defines rejected rules about the order of users within a priority."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from benchmarks.scheduling.tried import Change
from scheduler.core.jobs.job import Job
from scheduler.core.planner import planning
from scheduler.core.planner.ordering.queue_order import QueueOrder, order_queue
from scheduler.core.planner.snapshot import Snapshot


def _users_take_turns(snapshot: Snapshot, now: datetime) -> QueueOrder:
    """Lets users take turns within a priority: the first job of each comes before the second of any.

    Running jobs count as turns.
    """
    seen = Counter((live.job.owner, live.job.options.priority) for live in snapshot.live)

    def turn_of(job: Job) -> int:
        seen[job.owner, job.options.priority] += 1
        return seen[job.owner, job.options.priority]

    return _sorted_within_priorities(order_queue(snapshot, now), turn_of)


def _heavy_users_last(snapshot: Snapshot, now: datetime) -> QueueOrder:
    """Moves a user's jobs beyond a quarter of the budget to the end of their priority. Running jobs count first."""
    quarter = sum(snapshot.budget.limit.as_dict().values()) / 4
    held = Counter[str]()
    for live in snapshot.live:
        held[live.job.owner] += _width(live.job)

    def is_beyond(job: Job) -> bool:
        held[job.owner] += _width(job)
        return held[job.owner] > quarter

    return _sorted_within_priorities(order_queue(snapshot, now), is_beyond)


def _sorted_within_priorities(order: QueueOrder, position_of: Callable[[Job], int]) -> QueueOrder:
    first = order.beneficiaries | order.aged_jobs
    rest = sorted(
        (job for job in order.jobs if job.name not in first),
        key=lambda job: (-job.options.priority, position_of(job)),
    )
    return replace(order, jobs=[*(job for job in order.jobs if job.name in first), *rest])


def _width(job: Job) -> int:
    return sum(job.spec.demand.as_dict().values())


ORDER = {
    "users take turns within a priority": (Change(planning, "order_queue", _users_take_turns),),
    "within a priority, a user's jobs beyond a quarter of the budget come last": (
        Change(planning, "order_queue", _heavy_users_last),
    ),
}
