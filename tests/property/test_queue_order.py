"""Properties of the order in which a plan considers the queued jobs."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.queue_order import order_queue
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import changed_job
from support.builders.random_snapshots import NOW, minutes_ago, snapshots

NEVER = datetime.min.replace(tzinfo=UTC)


@st.composite
def snapshots_with_jobs_on_top(draw: st.DrawFn) -> Snapshot:
    snapshot = draw(snapshots())
    queued = (changed_job(job, on_top_since=draw(st.none() | minutes_ago)) for job in snapshot.queued)
    return replace(snapshot, queued=tuple(queued))


def moved_at(job: Job) -> datetime:
    return job.status.on_top_since or NEVER


@given(snapshots_with_jobs_on_top())
def test_jobs_on_top_come_first_in_their_priority_the_last_moved_first(snapshot: Snapshot) -> None:
    order = order_queue(snapshot, NOW)
    reserved_or_aged = order.beneficiaries | order.aged_jobs  # these come before other jobs, whatever their priority
    jobs = [job for job in order.jobs if job.name not in reserved_or_aged]
    assert jobs == sorted(jobs, key=lambda job: (job.options.priority, moved_at(job)), reverse=True)
