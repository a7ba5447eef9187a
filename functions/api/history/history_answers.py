"""JSON types of changes of jobs (docs/api.md)."""

from typing_extensions import TypedDict

from api.http import answers
from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job import JobState


class Done(TypedDict):
    """A user's action on a job, or a decision of the queue; `by` is the caller's ARN, or `queue`."""

    kind: ActionKind
    by: str


class Run(TypedDict):
    """An attempt that has ended. Seconds count for each instance, as SageMaker reports them. It reports
    `retained_seconds`, of the warm pool that the attempt left, once the pool is gone.
    """

    number: int
    name: str
    outcome: Outcome
    waited_since: answers.Time
    reserved_at: answers.Time
    training_started_at: answers.Time | None
    ended_at: answers.Time
    instances: dict[str, int]
    billable_seconds: int | None
    retained_seconds: int
    interruptions: int
    failure_class: FailureClass | None
    beneficiary: str | None


class Change(TypedDict):
    """A version of a job. `run` is the last attempt that has ended, even if an earlier change already has it."""

    job: str
    version: int
    recorded_at: answers.Time
    changed_at: answers.Time
    written_by: str
    state: JobState
    reason: answers.Reason
    priority: int
    instances: dict[str, int]
    owner: str
    team: str | None
    tags: dict[str, str]
    submitted_at: answers.Time
    max_runtime: int
    checkpoint_interval: int | None
    has_checkpoints: bool
    never_preempt: bool
    done: list[Done]
    run: Run | None
    stopped_for: str | None


class Changes(TypedDict):
    """One page of the history, the oldest change first. `next` is the token of the next page."""

    changes: list[Change]
    next: str | None
