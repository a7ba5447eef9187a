"""Builds the change that the history keeps from a version of a job's record."""

from collections.abc import Sequence
from datetime import datetime

from scheduler.core.history.change import WRITTEN_BY_POOLS, Change, RecordedAction, Run
from scheduler.core.jobs.attempt import EndedAttempt
from scheduler.core.jobs.job import Job, StopCause
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.team import Team, team_of

#: Reasons that only the queue words. Others quote SageMaker, a script or a rule, which may quote the request.
_QUEUE_REASONS = frozenset(
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
        message=job.reason.message if job.reason.code in _QUEUE_REASONS else "",
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
        done=() if written_by == WRITTEN_BY_POOLS else _recorded_actions(job),
        run=_run_of(job, _reported_attempt(job, written_by)),
        stopped_for=job.stop.asked_by if job.stop and job.stop.cause is StopCause.PREEMPTION else "",
    )


def _recorded_actions(job: Job) -> tuple[RecordedAction, ...]:
    return tuple(RecordedAction(action.kind, action.by) for action in job.actions if action.at == job.updated_at)


def _reported_attempt(job: Job, written_by: str) -> int:
    """Returns the index of the last attempt, or of the attempt whose warm pool ended if the pools wrote the change."""
    of_pool = (
        index
        for index, attempt in enumerate(job.history)
        if attempt.retained_reported_in == job.version and written_by == WRITTEN_BY_POOLS
    )
    return next(of_pool, len(job.history) - 1)


def _run_of(job: Job, index: int) -> Run | None:
    if not job.history:
        return None
    attempt = job.history[index]
    return Run(
        number=attempt.number,
        name=attempt.name,
        outcome=attempt.outcome,
        waited_since=_waited_since(job.history[:index], job),
        reserved_at=attempt.reserved_at,
        ended_at=attempt.ended_at,
        demand=job.demand_of(attempt),
        training_started_at=attempt.training_started_at,
        billable_seconds=attempt.billable_seconds,
        retained_seconds=attempt.retained_seconds,
        interruptions=attempt.interruptions,
        failure_class=attempt.failure_class,
        beneficiary=attempt.beneficiary,
    )


def _waited_since(earlier: Sequence[EndedAttempt], job: Job) -> datetime:
    return earlier[-1].ended_at if earlier else job.submitted_at
