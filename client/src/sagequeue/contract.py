"""The JSON that the queue's REST API speaks (docs/architecture.md), as types.

The client hands these on as they came: what `--json` prints is what the API answered.
"""

from typing import Any, NotRequired, TypedDict

#: A CreateTrainingJob request: SageMaker's own shape, which the client does not look into more than it must.
TrainingRequest = dict[str, Any]

#: States in which a job waits for its instances …
QUEUED = frozenset({"pending", "preempted"})
#: … holds instances …
LIVE = frozenset({"launching", "running", "stopping"})
#: … and has ended for good.
FINISHED = frozenset({"completed", "failed", "stopped", "rejected"})
#: Every state in which a job has not ended.
UNFINISHED = ("launching", "running", "stopping", "pending", "preempted", "held", "parked")


class Reason(TypedDict):
    code: str
    message: str


class Attempt(TypedDict):
    """One real SageMaker training job for a job of the queue; `outcome` is None while it is live."""

    number: int
    name: str
    outcome: str | None
    status: str
    secondary_status: str
    message: str
    reserved_at: str
    training_started_at: str | None
    ended_at: str | None
    failure_reason: str
    beneficiary: str


class Job(TypedDict):
    name: str
    arn: str
    state: str
    priority: int
    owner: str
    instances: dict[str, int]
    submitted_at: str
    updated_at: str
    position: int | None
    reason: Reason
    preemptions: int
    max_runtime: int
    has_checkpoints: bool
    attempts: list[Attempt]
    request: NotRequired[TrainingRequest]  # only in the answer about one job


class BudgetLine(TypedDict):
    limit: int
    held: int


class JobPage(TypedDict):
    jobs: list[Job]
    next: str | None
    budget: dict[str, BudgetLine]
