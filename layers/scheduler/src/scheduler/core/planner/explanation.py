"""Explains why a job waits, what it waits for and when it may start, based on the plan that a cycle would make now."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scheduler.core.calendar.times.deadlines import DeadlineOutlook, outlook_of
from scheduler.core.capacity.locations import locations_in, subnets_of
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.ordering.fair_share import usage_by_key, use_of_owner
from scheduler.core.planner.ordering.queue_order import QueueOrder, order_queue
from scheduler.core.planner.placement.alternative_selection import select_alternatives
from scheduler.core.planner.plan import Plan, Wait
from scheduler.core.planner.planning import plan
from scheduler.core.planner.shared_capacity import TeamLimits
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.planner.start_estimates import StartEstimate, estimate_starts

#: For a parked job, or one that waits for something other than instances, such as the end of the month.
_UNKNOWN_START = StartEstimate(None, None, "")
_NOT_FOR_INSTANCES = frozenset(
    {
        ReasonCode.SPENDING_LIMIT,
        ReasonCode.WAITS_FOR_RECONCILIATION,
        ReasonCode.OWNER_CAP,
        ReasonCode.INTERACTIVE_CAP,
        ReasonCode.ARRAY_LIMIT,
        ReasonCode.EXCEEDS_SHARE,
        ReasonCode.MAY_NOT_BORROW,
        ReasonCode.WAITS_FOR_CHECKPOINT_PREFIX,
        ReasonCode.WAITS_FOR_JOB,
        ReasonCode.EXPIRED,
    }
)


@dataclass(frozen=True, slots=True)
class PriorityParts:
    """Lists the factors that decide a job's place in the queue, most important first."""

    is_reserved_for: bool  # other jobs were stopped for this job
    is_long_waiting: bool  # it has waited long enough to use the starvation share
    is_below_quota: bool  # it is within its team's quota
    priority: int  # as submitted
    owner_use: float | None  # its owner's weighted seconds in its team, if owners take turns there: least goes first
    expected_run_time: float  # seconds; breaks ties if the ordering is `shortest`
    submitted_at: datetime  # breaks ties otherwise


@dataclass(frozen=True, slots=True)
class Explanation:
    job: Job
    position: int | None  # from 1, among waiting jobs; None if too many are ahead to count
    reason: Reason
    waits_for: tuple[str, ...]  # jobs, running or ahead of this one, whose end frees its instances
    priority: PriorityParts
    starts: StartEstimate
    near_limits: tuple[str, ...] = ()  # a sentence for each spending limit that is nearly used up
    ranking: tuple[str, ...] = ()  # a sentence for each choice, best first, if they are ranked by cost
    deadline: DeadlineOutlook | None = None  # None: it has no deadline


@dataclass(frozen=True, slots=True)
class Forecast:
    """Predicts what would happen to a job if it were submitted now."""

    starts_now: bool
    behind: int | None  # how many jobs would wait ahead of it; None if too many to count
    preempts: tuple[str, ...]
    reason: Reason
    starts: StartEstimate
    deadline: DeadlineOutlook | None = None  # None: it has no deadline


def explain(snapshot: Snapshot, now: datetime) -> dict[str, Explanation]:
    """Returns an explanation for each waiting job, by name."""
    snapshot = select_alternatives(snapshot, now)
    decided = plan(snapshot, now)
    estimates = estimate_starts(snapshot, decided, now)
    starts = [_as_reason_says(wait.job, wait.reason, estimates[wait.job.name], snapshot, now) for wait in decided.waits]
    order, used = order_queue(snapshot, now), usage_by_key(snapshot, now)
    return {
        wait.job.name: Explanation(
            job=wait.job,
            position=position,
            reason=wait.reason,
            waits_for=_waits_for(wait, start, snapshot, decided),
            priority=_priority_parts(wait.job, snapshot, order, used),
            starts=start,
            deadline=_outlook(wait.job, start, snapshot),
        )
        for position, (wait, start) in enumerate(zip(decided.waits, starts, strict=True), start=1)
    }


def explain_job(snapshot: Snapshot, job: Job, now: datetime) -> Explanation:
    """Returns the explanation for one queued job in the snapshot, even if the job can start now."""
    if waiting := explain(snapshot, now).get(job.name):
        return waiting
    decided = plan(snapshot, now)
    job, reason = _planned(job, decided)
    parts = _priority_parts(job, snapshot, order_queue(snapshot, now), usage_by_key(snapshot, now))
    start = _start_estimate(job, reason, snapshot, decided, now)
    return Explanation(job, 1, reason, (), parts, start, deadline=_outlook(job, start, snapshot))


def forecast_submission(snapshot: Snapshot, job: Job, now: datetime) -> Forecast:
    """Forecasts how the plan would treat this job if it were in the queue. Changes nothing."""
    snapshot = replace(snapshot, queued=(*snapshot.queued, job))
    decided = plan(snapshot, now)
    job, reason = _planned(job, decided)
    waiting = [wait.job.name for wait in decided.waits]
    start = _start_estimate(job, reason, snapshot, decided, now)
    return Forecast(
        starts_now=reason.code is ReasonCode.FITS,
        behind=waiting.index(job.name) if job.name in waiting else 0,
        preempts=tuple(entry.victim.job.name for entry in decided.preemptions if entry.beneficiary.name == job.name),
        reason=reason,
        starts=start,
        deadline=_outlook(job, start, snapshot),
    )


def _outlook(job: Job, start: StartEstimate, snapshot: Snapshot) -> DeadlineOutlook | None:
    trained = job.trained_seconds if job.spec.checkpoint_uri else 0.0  # it resumes there
    rest = max(0.0, snapshot.runtime_stats.expected_run_time(job) - trained)
    return outlook_of(job, start.earliest, start.latest, rest)


def _planned(job: Job, decided: Plan) -> tuple[Job, Reason]:
    """Returns the job set to the choice that the plan uses, and the plan's decision on it."""
    entry = decided.entry_for(job.name)
    if entry is None:
        raise AssertionError(f"the plan has no entry for {job.name}")
    return entry.job, entry.reason


def _start_estimate(job: Job, reason: Reason, snapshot: Snapshot, decided: Plan, now: datetime) -> StartEstimate:
    if reason.code is ReasonCode.FITS:
        return StartEstimate(now, now, "")
    estimate = estimate_starts(snapshot, decided, now).get(job.name, _UNKNOWN_START)
    return _as_reason_says(job, reason, estimate, snapshot, now)


def _as_reason_says(
    job: Job, reason: Reason, estimate: StartEstimate, snapshot: Snapshot, now: datetime
) -> StartEstimate:
    """Adjusts the estimate to the reason for the wait, because the estimate considers only instances."""
    if reason.code in _NOT_FOR_INSTANCES:
        return _UNKNOWN_START
    if reason.code is ReasonCode.BACKING_OFF and job.status.not_before is not None:
        return _not_before(job.status.not_before, estimate)
    if reason.code is ReasonCode.WAITS_FOR_TIME and job.options.times.not_before is not None:
        return _not_before(job.options.times.not_before, estimate)
    if reason.code is ReasonCode.WAITS_TO_PREEMPT:
        may_preempt_at = max(now, job.waits_since + timedelta(seconds=snapshot.policy.of(job).patience))
        return replace(estimate, earliest=min(may_preempt_at, estimate.earliest or may_preempt_at))
    if reason.code is ReasonCode.WAITS_FOR_CAPACITY:
        own = locations_in(job, subnets_of(job))
        tries = [known.until for known in snapshot.capacity.shortages if known.location in own and known.until > now]
        first_try = _not_before(min(tries), estimate) if tries else estimate
        return replace(first_try, latest=None)  # SageMaker may have no instances then, either
    if reason.code in (ReasonCode.TEAM_CEILING, ReasonCode.RESERVED_FOR_TEAM):
        return _after_first_end(job, estimate, snapshot, of_its_team=reason.code is ReasonCode.TEAM_CEILING)
    return estimate


def _after_first_end(job: Job, estimate: StartEstimate, snapshot: Snapshot, *, of_its_team: bool) -> StartEstimate:
    """Returns the estimate, but not before the first expected end of a job: free instances alone are not enough."""
    limits, expected = TeamLimits(snapshot.policy.teams), snapshot.runtime_stats.expected_run_time
    ends = [
        (live.started_at + timedelta(seconds=expected(live.job)), live.job.name)
        for live in snapshot.live
        if live.attempt.demand.shares_a_type_with(job.spec.demand)
        and not (of_its_team and limits.team_name(live.job) != limits.team_name(job))
    ]
    if not ends:
        return _UNKNOWN_START
    first_end, after = min(ends)
    return replace(_not_before(first_end, estimate), after=after)


def _not_before(time: datetime, estimate: StartEstimate) -> StartEstimate:
    if estimate.earliest is None or estimate.earliest >= time:
        return estimate
    return StartEstimate(time, max(time, estimate.latest) if estimate.latest else None, "")


def _waits_for(wait: Wait, start: StartEstimate, snapshot: Snapshot, decided: Plan) -> tuple[str, ...]:
    """Returns the names of the jobs that are being stopped for the waiting job.

    If there are none, returns the job named in its reason and the job whose end is expected to free its instances.
    """
    if stopped := _stopped_for(wait.job, snapshot, decided):
        return stopped
    return tuple(dict.fromkeys(filter(None, (wait.reason.waits_for, start.after))))


def _priority_parts(job: Job, snapshot: Snapshot, order: QueueOrder, used: Mapping[str, float]) -> PriorityParts:
    return PriorityParts(
        is_reserved_for=job.name in order.beneficiaries,
        is_long_waiting=job.name in order.aged_jobs,
        is_below_quota=job.name in order.ranks.below_quota,
        priority=job.options.priority,
        owner_use=use_of_owner(job, used, snapshot.policy.teams),
        expected_run_time=snapshot.runtime_stats.expected_run_time(job),
        submitted_at=job.submitted_at,
    )


def _stopped_for(job: Job, snapshot: Snapshot, decided: Plan) -> tuple[str, ...]:
    chosen = [entry.victim.job.name for entry in decided.preemptions if entry.beneficiary.name == job.name]
    stopping = [live.job.name for live in snapshot.live if _is_preempted_for(job, live.job)]
    return (*stopping, *chosen)


def _is_preempted_for(beneficiary: Job, job: Job) -> bool:
    """Returns whether the job is being preempted for the beneficiary. Only a preemption names a job in `asked_by`."""
    stop = job.status.stop
    if stop is None or stop.cause is not StopCause.PREEMPTION:
        return False
    return job.status.state is JobState.STOPPING and stop.asked_by == beneficiary.name
