"""Why a job waits, what it waits for and when it may start: told from the same plan that is carried out."""

from datetime import datetime

from attrs import evolve, frozen

from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.forecast.start_estimates import Starts, estimated_starts
from scheduler.core.planner.ordering.queue_order import QueueOrder, in_turn
from scheduler.core.planner.placement.alternative_selection import considered
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot

#: Of a job that is parked, or for which nothing more may be spent: not before somebody acts, or the month ends.
_NEVER = Starts(None, None, "")


@frozen
class PriorityParts:
    """What makes a job's place in the queue, the most important part first."""

    is_reserved_for: bool  # others were stopped for it
    is_long_waiting: bool  # it has waited so long that it may claim the starvation share
    is_below_guarantee: bool  # it is within its team's guarantee
    priority: int  # as submitted
    expected_run_time: float  # seconds; decides among equals when the ordering is `shortest`
    submitted_at: datetime  # decides among equals otherwise


@frozen
class Explanation:
    job: Job
    position: int | None  # from 1, among those that wait; none if so many are ahead that nobody counts
    reason: Reason
    waits_for: tuple[str, ...]  # jobs whose end gives it its place, running or ahead of it
    priority: PriorityParts
    starts: Starts
    near_limits: tuple[str, ...] = ()  # on spending: sentences on those that are nearly used


@frozen
class Forecast:
    """What would become of a job if it were submitted now."""

    starts_now: bool
    behind: int | None  # how many jobs would wait ahead of it; none if nobody counts so many
    preempts: tuple[str, ...]
    reason: Reason
    starts: Starts


def explain(snapshot: Snapshot, now: datetime) -> dict[str, Explanation]:
    """An explanation for each job that waits, by name."""
    snapshot = considered(snapshot, now)
    decided = plan(snapshot, now)
    starts = estimated_starts(snapshot, decided, now)
    turns = in_turn(snapshot, now)
    return {
        wait.job.name: Explanation(
            job=wait.job,
            position=position,
            reason=wait.reason,
            waits_for=_released_for(wait.job, snapshot, decided) or _after(starts[wait.job.name]),
            priority=_parts(wait.job, snapshot, turns),
            starts=_NEVER if wait.reason.code is ReasonCode.SPENDING_LIMIT else starts[wait.job.name],
        )
        for position, wait in enumerate(decided.waits, start=1)
    }


def explain_job(snapshot: Snapshot, job: Job, now: datetime) -> Explanation:
    """The same for one queued job of the snapshot, also if it does not have to wait any longer."""
    if waiting := explain(snapshot, now).get(job.name):
        return waiting
    decided = plan(snapshot, now)
    reason, turns = _reason(job, decided), in_turn(snapshot, now)
    return Explanation(job, 1, reason, (), _parts(job, snapshot, turns), _starts(job, snapshot, decided, now))


def what_if(snapshot: Snapshot, job: Job, now: datetime) -> Forecast:
    """Nothing is changed: the same plan is made with one job more."""
    snapshot = evolve(snapshot, queued=(*snapshot.queued, job))
    decided = plan(snapshot, now)
    waiting = [wait.job.name for wait in decided.waits]
    return Forecast(
        starts_now=_is_launched(job, decided),
        behind=waiting.index(job.name) if job.name in waiting else 0,
        preempts=tuple(entry.victim.job.name for entry in decided.preemptions if entry.beneficiary.name == job.name),
        reason=_reason(job, decided),
        starts=_starts(job, snapshot, decided, now),
    )


def _reason(job: Job, decided: Plan) -> Reason:
    reason = decided.reason_for(job.name)
    if reason is None:
        raise AssertionError(f"the plan forgot {job.name}")
    return reason


def _starts(job: Job, snapshot: Snapshot, decided: Plan, now: datetime) -> Starts:
    if _is_launched(job, decided):
        return Starts(now, now, "")
    if _reason(job, decided).code is ReasonCode.SPENDING_LIMIT:
        return _NEVER
    return estimated_starts(snapshot, decided, now).get(job.name, _NEVER)


def _is_launched(job: Job, decided: Plan) -> bool:
    return any(launch.job.name == job.name for launch in decided.launches)


def _parts(job: Job, snapshot: Snapshot, turns: QueueOrder) -> PriorityParts:
    return PriorityParts(
        is_reserved_for=job.name in turns.reserved_for,
        is_long_waiting=job.name in turns.aged_jobs,
        is_below_guarantee=job.name in turns.ranks.below_guarantee,
        priority=job.priority,
        expected_run_time=snapshot.history.expected_run_time(job),
        submitted_at=job.submitted_at,
    )


def _released_for(job: Job, snapshot: Snapshot, decided: Plan) -> tuple[str, ...]:
    chosen = [entry.victim.job.name for entry in decided.preemptions if entry.beneficiary.name == job.name]
    stopping = [
        live.job.name
        for live in snapshot.live
        if live.job.state is JobState.STOPPING and live.job.stop and live.job.stop.asked_by == job.name
    ]
    return (*stopping, *chosen)


def _after(starts: Starts) -> tuple[str, ...]:
    return (starts.after,) if starts.after else ()
