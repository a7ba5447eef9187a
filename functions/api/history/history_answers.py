"""The JSON of the history (docs/api.md), as types."""

from typing_extensions import TypedDict

from api.http import answers
from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.attempt import FailureClass, Outcome
from scheduler.core.jobs.job import JobState


class Done(TypedDict):
    """What was asked of a job, or decided about it; `by` is the caller's ARN, or `queue`."""

    kind: ActionKind
    by: str


class Run(TypedDict):
    """An attempt that has ended. Seconds are those of each instance, as SageMaker says; it tells `retained_seconds` of
    the warm pool that the attempt left once that is gone.
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
    """A version of a job. `run` is the last attempt that has ended, also if an earlier change has it."""

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
    """One page of the history, the oldest first; `next` is the token of the page after it."""

    changes: list[Change]
    next: str | None
