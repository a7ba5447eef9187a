"""Defines a change of a job as the history keeps it: one for each version of the job's record.

A change contains nothing of the request except the fields named here: hyperparameters and environment may be secret.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import FINISHED, JobState
from scheduler.core.jobs.reason import ReasonCode

#: The writer of versions in which the job itself did not change: only the cost of a warm pool it left became known.
WRITTEN_BY_POOLS = "pools"


class ChangeKind(StrEnum):
    """Classifies changes for subscribers that want only some of them."""

    SUBMITTED = "submitted"
    PREEMPTION_STARTED = "preemption_started"
    PREEMPTION_FINISHED = "preemption_finished"  # the job waits again, and its instances are free
    PARKED = "parked"
    GUARDRAIL = "guardrail"  # a rule was broken, or GPUs are idle
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """An action on the job in this change."""

    kind: ActionKind
    by: str  # the caller's ARN, or the queue


@dataclass(frozen=True, slots=True)
class Run:
    """An ended attempt."""

    number: int
    name: str
    outcome: Outcome
    waited_since: datetime  # the job's submission, or the end of its previous attempt
    reserved_at: datetime
    ended_at: datetime
    demand: Demand  # of the choice that it ran with
    training_started_at: datetime | None = None
    billable_seconds: int | None = None  # for each instance; None if SageMaker did not report it
    retained_seconds: int = 0  # of the warm pool that it left, for each instance, once the pool has ended
    interruptions: int = 0
    failure_class: FailureClass | None = None
    beneficiary: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    job: str
    version: int  # from 0, without gaps
    recorded_at: datetime  # by the clock of the table; the history is read in this order
    changed_at: datetime  # by the clock of the function that wrote it
    written_by: str  # the function that wrote it
    state: JobState
    reason: ReasonCode
    priority: int
    demand: Demand
    owner: str
    submitted_at: datetime
    max_runtime: int
    message: str = ""  # of the reason, only if the queue itself worded it
    team: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    has_checkpoints: bool = False
    checkpoint_interval: int | None = None
    never_preempt: bool = False
    done: tuple[RecordedAction, ...] = ()
    run: Run | None = None  # the last ended attempt, also if an earlier change has it
    stopped_for: str = ""  # the job for which it is stopped


_GUARDRAIL_ACTIONS = frozenset({ActionKind.WARNED_IDLE, ActionKind.WARNED_UNDERUSED, ActionKind.STOPPED_IDLE})
#: Reasons of a preempted job. It keeps its reason while it waits, until another change replaces it.
_PREEMPTION_REASONS = frozenset({ReasonCode.OUTRANKED, ReasonCode.RECLAIMED, ReasonCode.OVER_BUDGET})


def change_kinds_in(change: Change) -> Iterator[ChangeKind]:
    """Yields the kinds of the change: none for a change by pools, and sometimes several."""
    if change.written_by == WRITTEN_BY_POOLS:
        return
    actions = {action.kind for action in change.done}
    if change.version == 0:
        yield ChangeKind.SUBMITTED
    if ActionKind.PREEMPTED in actions:
        yield ChangeKind.PREEMPTION_STARTED
    if change.state is JobState.PREEMPTED and change.reason in _PREEMPTION_REASONS and not actions:
        yield ChangeKind.PREEMPTION_FINISHED
    if ActionKind.PARKED in actions:
        yield ChangeKind.PARKED
    if actions & _GUARDRAIL_ACTIONS or change.reason is ReasonCode.RULE_VIOLATED:
        yield ChangeKind.GUARDRAIL
    if change.state in FINISHED:
        yield ChangeKind.ENDED
