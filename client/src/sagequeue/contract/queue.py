"""The queue as a whole, and the warm pools."""

from typing import TypedDict

from sagequeue.contract.jobs import BudgetLine, Job


class FreeLine(BudgetLine):
    free: int


class TeamLine(TypedDict):
    running: dict[str, int]
    queued: int
    weight: float
    guarantee: dict[str, int]
    used_instance_seconds: float  # recent use, running attempts included; the team with the least by weight is next


class Shortage(TypedDict):
    """An instance type without capacity; without a subnet, in every subnet."""

    instance_type: str
    spot: bool
    subnet: str | None
    failures: int
    failed_at: str
    next_try_at: str


class Queue(TypedDict):
    intake_open: bool
    queued: int
    live: int
    by_state: dict[str, int]
    budget: dict[str, FreeLine]
    teams: dict[str, TeamLine]
    head: list[Job]
    shortages: list[Shortage]


class Budget(TypedDict):
    """The current budget, and its source: the stack's `parameter`, the `calendar` or an `operator`."""

    budget: dict[str, int]
    source: str
    stop_over_budget: bool


class Intake(TypedDict):
    intake_open: bool


class Pool(TypedDict):
    """Instances that SageMaker keeps after an attempt; `fits` names waiting jobs that could start on it."""

    name: str
    job: str
    instances: dict[str, int]
    since: str | None
    until: str | None
    lent_to: str | None
    cost: float | None  # in US dollars, so far
    fits: list[str]
    match: dict[str, object]


class RefusedPool(TypedDict):
    """A type whose requested warm pools have not appeared since this time."""

    instance_type: str
    since: str


class Pools(TypedDict):
    pools: list[Pool]
    refused: list[RefusedPool]
