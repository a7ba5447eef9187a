"""Types for the costs of instances and jobs, in US dollars, and for the use of spending limits."""

from typing import TypedDict


class Price(TypedDict):
    """The on-demand price of one instance, in US dollars; `spot_share` is the billed share of spot training time."""

    dollars_per_hour: float | None
    as_of: str | None
    source: str | None
    spot_share: float | None
    gpus: int


class Prices(TypedDict):
    """The known prices by instance type."""

    region: str
    prices: dict[str, Price]


class AttemptCost(TypedDict):
    """The amount that SageMaker bills for an attempt; until the amount is final, this is an upper bound."""

    dollars: float  # for training
    retained_dollars: float  # for the warm pool that the attempt left
    saved_dollars: float  # by using spot instances
    wasted_dollars_at_most: float  # for training that a preemption or a failure lost
    final: bool


class JobCost(AttemptCost):
    """The cost of a job, excluding attempts on instance types with no known price."""

    unknown_types: list[str]
    prices_as_of: str | None


class CostRange(TypedDict):
    """The cost range of one complete attempt; the amounts are None if a price is unknown."""

    least_dollars: float | None
    most_dollars: float | None
    expected_run_time: float  # seconds
    max_runtime: int
    spot: bool
    unknown_types: list[str]
    prices_as_of: str | None


class SpendingUse(TypedDict):
    """An owner's, team's or tag's use of a monthly limit; amounts are None if a count or a price is unknown."""

    limit: str
    kind: str
    scope: str
    measure: str
    most: float
    used: float | None  # running attempts included
    running: float | None
    forecast: float | None  # at the end of the month
    warn_at: float
    then: str
    state: str
    reason: str | None


class MonthlySpending(TypedDict):
    name: str
    begins: str
    ends: str
    time_zone: str


class Spending(TypedDict):
    """The use of the monthly limits; `month` is None if no limits are set."""

    month: MonthlySpending | None
    uses: list[SpendingUse]
    left_out: int
