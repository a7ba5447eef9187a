"""Types for the queue as a whole, its budget, the warm pools, and findings about jobs outside the queue."""

from typing import TypedDict

from sagequeue.contract.jobs import BudgetLine, Job, Violation


class FreeLine(BudgetLine):
    free: int


class TeamLine(TypedDict):
    running: dict[str, int]
    queued: int
    weight: float
    quota: dict[str, int]
    lend: dict[str, int]  # this and the next two: only the instance types for which operators set them
    borrow_at_most: dict[str, int]
    ceiling: dict[str, int]
    settings: dict[str, str]  # the other settings that operators have set
    used_weighted_seconds: float  # recent use, with running attempts; the team with the least use per weight is next


class Shortage(TypedDict):
    """An instance type that lacks capacity. If `subnet` is None, every subnet lacks it."""

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


class Period(TypedDict):
    """A budget, and the treatment of jobs over budget, until the next period begins."""

    begins: str
    budget: dict[str, int]
    excess: dict[str, str]
    windows: list[str]  # names of calendar windows; empty for the stack's own budget


class Budget(TypedDict):
    """The current budget, and its source: the stack's `parameter`, the `calendar` or an `operator`."""

    budget: dict[str, int]
    source: str
    stop_over_budget: bool
    calendar_rests: bool  # an operator's own budget overrides it
    periods: list[Period]  # the budgets from now on
    changed_by: str | None  # the operator who changed budget or intake last
    changed_at: str | None


class PastBudget(TypedDict):
    """A budget that applied until the next budget began."""

    begins: str
    budget: dict[str, int]
    source: str
    changed_by: str | None  # the operator who set it


class PastBudgets(TypedDict):
    budgets: list[PastBudget]  # the oldest first


class Intake(TypedDict):
    intake_open: bool


class Pool(TypedDict):
    """Instances that SageMaker keeps after an attempt; `fits` names waiting jobs that could start on them."""

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
    """An instance type for which no requested warm pool has appeared since this time."""

    instance_type: str
    since: str


class Pools(TypedDict):
    pools: list[Pool]
    refused: list[RefusedPool]


class Finding(TypedDict):
    """A training job that was started outside the queue and breaks a rule."""

    name: str
    created_at: str
    stopped: bool
    violations: list[Violation]


class Findings(TypedDict):
    findings: list[Finding]  # the newest first
