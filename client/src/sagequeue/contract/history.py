"""Types for the history of jobs: recorded changes and finished attempts."""

from typing import TypedDict

from sagequeue.contract.jobs import Reason


class Done(TypedDict):
    """An action that changed a job; `by` is the caller's ARN, or `queue`."""

    kind: str
    by: str


class Run(TypedDict):
    """An attempt that has ended."""

    number: int
    name: str
    outcome: str
    waited_since: str
    reserved_at: str
    training_started_at: str | None
    ended_at: str
    instances: dict[str, int]
    billable_seconds: int | None  # per instance
    retained_seconds: int  # of the warm pool that the attempt left, per instance
    spot: bool
    interruptions: int
    interrupted_seconds: int | None  # time since its training began that interruptions cost, per instance
    failure_class: str | None
    beneficiary: str | None
    lost_seconds_at_most: float  # training time per instance that a preemption lost
    lost_is_measured: bool  # whether the program reported its saves


class Change(TypedDict):
    """A version of a job. Versions start at 0 and have no gaps unless the history lacks a change."""

    job: str
    version: int
    recorded_at: str
    changed_at: str
    written_by: str
    state: str
    reason: Reason
    priority: int
    instances: dict[str, int]
    owner: str
    team: str | None
    tags: dict[str, str]
    submitted_at: str
    max_runtime: int
    checkpoint_interval: int | None
    has_checkpoints: bool
    never_preempt: bool
    done: list[Done]
    run: Run | None  # the last finished attempt, even if an earlier change also has it
    stopped_for: str | None


class Changes(TypedDict):
    changes: list[Change]
    next: str | None
