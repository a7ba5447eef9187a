"""A change of a job, as the history keeps it: one for each version of its record, for far longer than anybody asks why.

Nothing of the request is in it but what is named here: hyperparameters and environment may be secret.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum

from attrs import frozen

from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import FINISHED, JobState
from scheduler.core.jobs.reason import ReasonCode

#: Who writes a version in which nothing has become of the job: what a pool that it left has cost is known now.
WRITTEN_BY_POOLS = "pools"


class ChangeKind(StrEnum):
    """What a change is about."""

    SUBMITTED = "submitted"
    PREEMPTION_STARTED = "preemption_started"
    PREEMPTION_FINISHED = "preemption_finished"  # the job waits again, and what it held is free
    PARKED = "parked"
    GUARDRAIL = "guardrail"  # a rule, or GPUs that are idle
    ENDED = "ended"


@frozen
class Done:
    """What was asked of the job, or decided about it, in this change."""

    kind: ActionKind
    by: str  # the caller's ARN, or the queue


@frozen
class Run:
    """An attempt that has ended."""

    number: int
    name: str
    outcome: Outcome
    waited_since: datetime  # the job's submission, or the end of its attempt before
    reserved_at: datetime
    ended_at: datetime
    demand: Demand  # of the choice that it was
    training_started_at: datetime | None = None
    billable_seconds: int | None = None  # for each instance; None where SageMaker did not say
    retained_seconds: int = 0  # of the warm pool that it left, for each instance, once that is gone
    interruptions: int = 0
    failure_class: FailureClass | None = None
    beneficiary: str = ""


@frozen
class Change:
    job: str
    version: int  # from 0, and without a gap
    recorded_at: datetime  # by the clock of the table: in this order the history is read
    changed_at: datetime  # by the clock of the function that wrote it
    written_by: str  # that function
    state: JobState
    reason: ReasonCode
    priority: int
    demand: Demand
    owner: str
    submitted_at: datetime
    max_runtime: int
    message: str = ""  # of the reason, in our own words only
    team: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    has_checkpoints: bool = False
    checkpoint_interval: int | None = None
    never_preempt: bool = False
    done: tuple[Done, ...] = ()
    run: Run | None = None  # the last one that ended, also if an earlier change has it
    stopped_for: str = ""  # the job that it makes room for


_OF_GUARDRAILS = frozenset({ActionKind.WARNED_IDLE, ActionKind.WARNED_UNDERUSED, ActionKind.STOPPED_IDLE})
#: Reasons of a job that has given way; it keeps them while it waits, unless something else becomes of it.
_GAVE_WAY = frozenset({ReasonCode.OUTRANKED, ReasonCode.RECLAIMED, ReasonCode.OVER_BUDGET})


def change_kinds_in(change: Change) -> Iterator[ChangeKind]:
    if change.written_by == WRITTEN_BY_POOLS:
        return
    done = {one.kind for one in change.done}
    if change.version == 0:
        yield ChangeKind.SUBMITTED
    if ActionKind.PREEMPTED in done:
        yield ChangeKind.PREEMPTION_STARTED
    if change.state is JobState.PREEMPTED and change.reason in _GAVE_WAY and not done:
        yield ChangeKind.PREEMPTION_FINISHED
    if ActionKind.PARKED in done:
        yield ChangeKind.PARKED
    if done & _OF_GUARDRAILS or change.reason is ReasonCode.RULE_VIOLATED:
        yield ChangeKind.GUARDRAIL
    if change.state in FINISHED:
        yield ChangeKind.ENDED
