"""The JSON of the queue as a whole (docs/api.md), as types."""

from typing_extensions import TypedDict

from api.http import answers
from api.jobs import job_answers
from scheduler.queue.budget_and_intake import BudgetSource


class FreeLine(answers.BudgetLine):
    free: int


class TeamLine(TypedDict):
    """`used_instance_seconds` decides whose turn is next, each by its weight: what the past still counts for, the less
    the longer it is ago, and what runs is expected to come to.
    """

    running: dict[str, int]
    queued: int
    weight: float
    guarantee: dict[str, int]
    used_instance_seconds: float


class Shortage(TypedDict):
    """SageMaker had no instances there; `failures` counts the tries. Without a subnet: wherever SageMaker likes."""

    instance_type: str
    spot: bool
    subnet: str | None
    failures: int
    failed_at: answers.Time
    next_try_at: answers.Time


class Queue(TypedDict):
    """The queue at a glance; only what has not ended is counted. `head` is the next jobs."""

    intake_open: bool
    queued: int
    live: int
    by_state: dict[str, int]
    budget: dict[str, FreeLine]
    teams: dict[str, TeamLine]
    head: list[job_answers.Job]
    shortages: list[Shortage]


class Budget(TypedDict):
    """The budget in force, and who says so."""

    budget: dict[str, int]
    source: BudgetSource
    stop_over_budget: bool


class Intake(TypedDict):
    intake_open: bool
