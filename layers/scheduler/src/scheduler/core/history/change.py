"""Defines changes to jobs as the history keeps them, one for each version of a job's record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import FINISHED, ActionKind, JobState, StopCause
from scheduler.core.jobs.reason import PREEMPTIONS, ReasonCode
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.jobs.team import Team, team_of
from scheduler.core.jobs.unsaved_work import UnsavedWork, unsaved_work

#: The writer of versions that only add the cost of a warm pool that the job left. The job itself does not change.
WRITTEN_BY_POOLS = "pools"
#: The writer of the versions that a cycle decides.
WRITTEN_BY_CYCLE = "schedule"


class ChangeKind(StrEnum):
    """Classifies changes for subscribers that want only some of them."""

    SUBMITTED = "submitted"
    PREEMPTION_STARTED = "preemption_started"
    PREEMPTION_FINISHED = "preemption_finished"  # the job waits again, and its instances are free
    PARKED = "parked"
    GUARDRAIL = "guardrail"  # a rule was broken, GPUs are idle, or a program hangs
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class RecordedAction:
    kind: ActionKind
    by: str  # the caller's ARN, or the queue


@dataclass(frozen=True, slots=True)
class Run:
    """A finished attempt."""

    number: int
    name: str
    outcome: Outcome
    waited_since: datetime  # the job's submission, or a later time before which it could not start
    reserved_at: datetime
    ended_at: datetime
    demand: Demand  # that of the choice with which the attempt ran
    training_started_at: datetime | None = None
    billable_seconds: int | None = None  # per instance; None if SageMaker did not report it
    retained_seconds: int = 0  # seconds per instance in the warm pool that it left, once the pool has ended
    interruptions: int = 0
    interrupted_seconds: int | None = 0  # seconds per instance that the interruptions cost, as estimated
    spot: bool = False
    failure_class: FailureClass | None = None
    beneficiary: str = ""
    saved: Save | None = None  # the last save that its program reported
    is_new: bool = False  # this change records its end; later changes of the job repeat the run


# Contains only the request fields listed here, since hyperparameters and environment variables may be secret.
@dataclass(frozen=True, slots=True)
class Change:
    job: str
    version: int  # from 0, without gaps
    recorded_at: datetime  # by the table's clock; the history is read in this order
    changed_at: datetime  # by the clock of the function that wrote it
    written_by: str  # the function that wrote it
    state: JobState
    reason: ReasonCode
    priority: int
    demand: Demand
    owner: str
    submitted_at: datetime
    waits_since: datetime  # since when it waits, or waited for its current attempt
    max_runtime: int
    message: str = ""  # the reason's message, only if the queue itself worded it
    team: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    has_checkpoints: bool = False
    checkpoint_interval: int | None = None
    never_preempt: bool = False
    done: tuple[RecordedAction, ...] = ()
    run: Run | None = None  # the last finished attempt, even if an earlier change also has it
    stopped_for: str = ""  # the job for which it is stopped


_GUARDRAIL_ACTIONS = frozenset(
    {
        ActionKind.WARNED_IDLE,
        ActionKind.WARNED_UNDERUSED,
        ActionKind.STOPPED_IDLE,
        ActionKind.STOPPED_UNDERUSED,
        ActionKind.WARNED_NAN_LOSS,
        ActionKind.STOPPED_NAN_LOSS,
        ActionKind.WARNED_HUNG,
        ActionKind.STOPPED_HUNG,
    }
)
#: Actions in changes that start an attempt. A running job with any other action, such as `spared`, ran before.
_WITH_STARTS = frozenset({ActionKind.KEEP_ALIVE_DROPPED, ActionKind.ADOPTED})


def change_kinds_in(change: Change) -> Iterator[ChangeKind]:
    """Yields the kinds of the change. There may be several. A change that records the end of a warm pool has none."""
    if change.written_by == WRITTEN_BY_POOLS:
        return
    actions = {action.kind for action in change.done}
    if change.version == 0:
        yield ChangeKind.SUBMITTED
    if ActionKind.PREEMPTED in actions:
        yield ChangeKind.PREEMPTION_STARTED
    if change.state is JobState.PREEMPTED and change.reason in PREEMPTIONS and not actions:
        yield ChangeKind.PREEMPTION_FINISHED
    if ActionKind.PARKED in actions:
        yield ChangeKind.PARKED
    if actions & _GUARDRAIL_ACTIONS or change.reason is ReasonCode.RULE_VIOLATED:
        yield ChangeKind.GUARDRAIL
    if change.state in FINISHED:
        yield ChangeKind.ENDED


def is_start(change: Change) -> bool:
    """Returns whether the change records that SageMaker has created an attempt."""
    by_cycle = change.written_by == WRITTEN_BY_CYCLE and change.state is JobState.RUNNING
    # A message tells of a running job, such as of the instances that SageMaker selected.
    return by_cycle and not change.message and {action.kind for action in change.done} <= _WITH_STARTS


def lost_work(change: Change) -> UnsavedWork | None:
    """Returns the training that a preemption of the run lost; None if the run was not preempted while training."""
    run = change.run
    if run is None or run.outcome is not Outcome.PREEMPTED or run.training_started_at is None:
        return None
    interval = change.checkpoint_interval if change.has_checkpoints else None
    return unsaved_work(run.training_started_at, run.ended_at, run.saved, interval)


def change_of(job: Job, written_by: str, recorded_at: datetime, teams: Sequence[Team]) -> Change:
    """Returns the change that this version of the job's record makes. `recorded_at` is a time by the table's clock."""
    team, stop, is_by_pools = team_of(job, teams), job.status.stop, written_by == WRITTEN_BY_POOLS
    actions = [action for action in job.status.actions if action.at == job.status.updated_at and not is_by_pools]
    return Change(
        job=job.name,
        version=job.version,
        recorded_at=recorded_at,
        changed_at=job.status.updated_at,
        written_by=written_by,
        state=job.status.state,
        reason=job.status.reason.code,
        message=job.status.reason.message if job.status.reason.is_worded_by_queue else "",
        priority=job.options.priority,
        demand=job.runs_on,
        owner=job.owner,
        team=team.name if team else "",
        tags=job.spec.tags,
        submitted_at=job.submitted_at,
        waits_since=job.waits_since,
        max_runtime=job.spec.max_runtime,
        checkpoint_interval=job.options.checkpoint_interval,
        never_preempt=job.options.never_preempt,
        has_checkpoints=job.spec.checkpoint_uri is not None,
        done=tuple(RecordedAction(action.kind, action.by) for action in actions),
        run=_last_run_of(job, is_by_pools=is_by_pools),
        stopped_for=stop.asked_by if stop and stop.cause is StopCause.PREEMPTION else "",
    )


def _waited_since(job: Job, earlier: Sequence[EndedAttempt], attempt: EndedAttempt) -> datetime:
    """Returns when the job began to wait for the attempt. The time before its user lets it start is no wait."""
    began = earlier[-1].ended_at if earlier else job.submitted_at
    later = (job.options.times.not_before, job.status.released_at)
    return max((began, *(time for time in later if time is not None and time <= attempt.reserved_at)))


def _last_run_of(job: Job, *, is_by_pools: bool) -> Run | None:
    """Returns the last finished attempt or, if the change records a warm pool's end, the attempt that left the pool."""
    if not job.status.history:
        return None
    of_pool = (index for index, attempt in enumerate(job.status.history) if attempt.retained_reported_in == job.version)
    index = next(of_pool, -1) if is_by_pools else -1
    earlier, attempt = job.status.history[:index], job.status.history[index]
    return Run(
        number=attempt.number,
        name=attempt.name,
        outcome=attempt.outcome,
        waited_since=_waited_since(job, earlier, attempt),
        reserved_at=attempt.reserved_at,
        ended_at=attempt.ended_at,
        demand=job.demand_of(attempt),
        training_started_at=attempt.training_started_at,
        billable_seconds=attempt.billable_seconds,
        retained_seconds=attempt.retained_seconds,
        interruptions=attempt.interruptions,
        interrupted_seconds=attempt.interrupted_seconds,
        spot=attempt.spot,
        failure_class=attempt.failure_class,
        beneficiary=attempt.beneficiary,
        saved=attempt.saved,
        is_new=attempt.recorded_in == job.version,
    )
