"""Makes a change, as the history keeps it, of a version of a job's record."""

from collections.abc import Sequence
from datetime import datetime

from scheduler.core.history.change import WRITTEN_BY_POOLS, Change, Done, Run
from scheduler.core.jobs.attempt import EndedAttempt
from scheduler.core.jobs.job import Job, StopCause
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.team import Team, team_of

#: Reasons that only we give. Others quote SageMaker, a script or a rule, and these may quote the request.
_OUR_OWN = frozenset(
    {
        ReasonCode.FITS,
        ReasonCode.RUNNING,
        ReasonCode.HELD,
        ReasonCode.OUTRANKED,
        ReasonCode.RECLAIMED,
        ReasonCode.OVER_BUDGET,
        ReasonCode.EXCEEDS_BUDGET,
        ReasonCode.LEAVES_SPOT,
        ReasonCode.IDLE_GPU,
        ReasonCode.TIME_LIMIT,
        ReasonCode.STOPPED_OUTSIDE,
        ReasonCode.VANISHED,
    }
)


def change_of(job: Job, written_by: str, recorded_at: datetime, teams: Sequence[Team]) -> Change:
    team = team_of(job.owner, teams)
    return Change(
        job=job.name,
        version=job.version,
        recorded_at=recorded_at,
        changed_at=job.updated_at,
        written_by=written_by,
        state=job.state,
        reason=job.reason.code,
        message=job.reason.message if job.reason.code in _OUR_OWN else "",
        priority=job.priority,
        demand=job.runs_on,
        owner=job.owner,
        team=team.name if team else "",
        tags=job.tags,
        submitted_at=job.submitted_at,
        max_runtime=job.max_runtime,
        checkpoint_interval=job.checkpoint_interval,
        never_preempt=job.never_preempt,
        has_checkpoints=job.checkpoint_uri is not None,
        done=() if written_by == WRITTEN_BY_POOLS else _done(job),
        run=_run_of(job, _told_attempt(job, written_by)),
        stopped_for=job.stop.asked_by if job.stop and job.stop.cause is StopCause.PREEMPTION else "",
    )


def _done(job: Job) -> tuple[Done, ...]:
    return tuple(Done(action.kind, action.by) for action in job.actions if action.at == job.updated_at)


def _told_attempt(job: Job, written_by: str) -> int:
    """The last one, but at the end of a pool the one that left it, which others may have followed."""
    of_pool = (
        n
        for n, past in enumerate(job.history)
        if past.retained_reported_in == job.version and written_by == WRITTEN_BY_POOLS
    )
    return next(of_pool, len(job.history) - 1)


def _run_of(job: Job, place: int) -> Run | None:
    if not job.history:
        return None
    past = job.history[place]
    return Run(
        number=past.number,
        name=past.name,
        outcome=past.outcome,
        waited_since=_waited_since(job.history[:place], job),
        reserved_at=past.reserved_at,
        ended_at=past.ended_at,
        demand=job.demand_of(past),
        training_started_at=past.training_started_at,
        billable_seconds=past.billable_seconds,
        retained_seconds=past.retained_seconds,
        interruptions=past.interruptions,
        failure_class=past.failure_class,
        beneficiary=past.beneficiary,
    )


def _waited_since(earlier: Sequence[EndedAttempt], job: Job) -> datetime:
    return earlier[-1].ended_at if earlier else job.submitted_at
