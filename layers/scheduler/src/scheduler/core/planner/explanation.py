"""Explains from the plan that a cycle would carry out why a job waits, what it waits for and when it may start."""

from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.ordering.queue_order import QueueOrder, order_queue
from scheduler.core.planner.placement.alternative_selection import select_alternatives
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.planner.start_estimates import StartEstimate, estimate_starts

#: For a job that is parked or held by a spending limit: no start until an operator acts or the month ends.
_UNKNOWN_START = StartEstimate(None, None, "")


@dataclass(frozen=True, slots=True)
class PriorityParts:
    """Lists what decides a job's place in the queue, the most important part first."""

    is_reserved_for: bool  # other jobs were stopped for it
    is_long_waiting: bool  # it has waited long enough to use the starvation share
    is_below_guarantee: bool  # it is within its team's guarantee
    priority: int  # as submitted
    expected_run_time: float  # seconds; decides among equals if the ordering is `shortest`
    submitted_at: datetime  # decides among equals otherwise


@dataclass(frozen=True, slots=True)
class Explanation:
    job: Job
    position: int | None  # from 1, among waiting jobs; None if too many are ahead to count
    reason: Reason
    waits_for: tuple[str, ...]  # jobs whose end frees its instances, running or ahead of it
    priority: PriorityParts
    starts: StartEstimate
    near_limits: tuple[str, ...] = ()  # a sentence for each spending limit that is nearly used up


@dataclass(frozen=True, slots=True)
class Forecast:
    """Predicts what would happen to a job if it were submitted now."""

    starts_now: bool
    behind: int | None  # how many jobs would wait ahead of it; None if too many to count
    preempts: tuple[str, ...]
    reason: Reason
    starts: StartEstimate


def explain(snapshot: Snapshot, now: datetime) -> dict[str, Explanation]:
    """Returns an explanation for each waiting job, by name."""
    snapshot = select_alternatives(snapshot, now)
    decided = plan(snapshot, now)
    starts = estimate_starts(snapshot, decided, now)
    order = order_queue(snapshot, now)
    return {
        wait.job.name: Explanation(
            job=wait.job,
            position=position,
            reason=wait.reason,
            waits_for=_stopped_for(wait.job, snapshot, decided) or tuple(filter(None, [starts[wait.job.name].after])),
            priority=_priority_parts(wait.job, snapshot, order),
            starts=_UNKNOWN_START if wait.reason.code is ReasonCode.SPENDING_LIMIT else starts[wait.job.name],
        )
        for position, wait in enumerate(decided.waits, start=1)
    }


def explain_job(snapshot: Snapshot, job: Job, now: datetime) -> Explanation:
    """Returns the explanation of one queued job of the snapshot, also if it can start now."""
    if waiting := explain(snapshot, now).get(job.name):
        return waiting
    decided = plan(snapshot, now)
    reason = _reason(job, decided)
    parts = _priority_parts(job, snapshot, order_queue(snapshot, now))
    return Explanation(job, 1, reason, (), parts, _start_estimate(job, reason, snapshot, decided, now))


def forecast_submission(snapshot: Snapshot, job: Job, now: datetime) -> Forecast:
    """Returns what the plan would be with this job added. Nothing is changed."""
    snapshot = replace(snapshot, queued=(*snapshot.queued, job))
    decided = plan(snapshot, now)
    reason = _reason(job, decided)
    waiting = [wait.job.name for wait in decided.waits]
    return Forecast(
        starts_now=reason.code is ReasonCode.FITS,
        behind=waiting.index(job.name) if job.name in waiting else 0,
        preempts=tuple(entry.victim.job.name for entry in decided.preemptions if entry.beneficiary.name == job.name),
        reason=reason,
        starts=_start_estimate(job, reason, snapshot, decided, now),
    )


def _reason(job: Job, decided: Plan) -> Reason:
    reason = decided.reason_for(job.name)
    if reason is None:
        raise AssertionError(f"the plan has no entry for {job.name}")
    return reason


def _start_estimate(job: Job, reason: Reason, snapshot: Snapshot, decided: Plan, now: datetime) -> StartEstimate:
    if reason.code is ReasonCode.FITS:
        return StartEstimate(now, now, "")
    if reason.code is ReasonCode.SPENDING_LIMIT:
        return _UNKNOWN_START
    return estimate_starts(snapshot, decided, now).get(job.name, _UNKNOWN_START)


def _priority_parts(job: Job, snapshot: Snapshot, order: QueueOrder) -> PriorityParts:
    return PriorityParts(
        is_reserved_for=job.name in order.beneficiaries,
        is_long_waiting=job.name in order.aged_jobs,
        is_below_guarantee=job.name in order.ranks.below_guarantee,
        priority=job.options.priority,
        expected_run_time=snapshot.runtime_stats.expected_run_time(job),
        submitted_at=job.submitted_at,
    )


def _stopped_for(job: Job, snapshot: Snapshot, decided: Plan) -> tuple[str, ...]:
    chosen = [entry.victim.job.name for entry in decided.preemptions if entry.beneficiary.name == job.name]
    stopping = [
        live.job.name
        for live in snapshot.live
        if live.job.status.state is JobState.STOPPING
        and live.job.status.stop
        and live.job.status.stop.asked_by == job.name
    ]
    return (*stopping, *chosen)
