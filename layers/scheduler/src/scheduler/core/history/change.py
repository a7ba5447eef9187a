"""A change of a job, as the history keeps it: one for each version of its record, for far longer than anybody asks why.

Nothing of the request is in it but what is named here: hyperparameters and environment may be secret.
"""

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.failure_class import FailureClass
from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.reason import ReasonCode

#: Who writes a version in which nothing has become of the job: what a pool that it left has cost is known now.
BY_POOLS = "pools"


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
