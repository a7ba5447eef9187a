"""Derives the gauges and the head of the queue, which metrics report, from a snapshot and its plan."""

from datetime import datetime

from scheduler.core.history.metrics import Gauges
from scheduler.core.history.queue_head import QueueHead
from scheduler.core.jobs.demand import Demand
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.snapshot import Snapshot


def gauges_of(snapshot: Snapshot, queued_jobs: int, now: datetime) -> Gauges:
    held, limit = snapshot.held, snapshot.budget.limit
    return Gauges(
        queued_jobs,
        max(((now - job.waits_since).total_seconds() for job in snapshot.queued), default=0.0),
        held,
        Demand(
            tuple(
                (instance_type, max(0, limit[instance_type] - held[instance_type]))
                for instance_type in snapshot.budget.types
            )
        ),
    )


def queue_head_of(decided: Plan) -> QueueHead:
    first = next(iter(decided.waits), None)
    if first is None:
        return QueueHead()
    job, reason = first
    return QueueHead(job.name, reason.code, reason.message, job.priority, job.demand, job.owner, job.waits_since)
