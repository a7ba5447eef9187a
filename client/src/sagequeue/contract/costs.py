"""Costs of instances and jobs, in US dollars."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class Price(TypedDict):
    """The on-demand price of one instance, in US dollars; `spot_share` is the share of spot training that is billed."""

    dollars_per_hour: float | None
    as_of: str | None
    source: str | None
    spot_share: float | None
    gpus: int


class Prices(Document):
    """`prices` are the known prices, by instance type."""

    region: str
    prices: dict[str, Price]


class AttemptCost(TypedDict):
    """The amount that SageMaker bills for an attempt; until that is final, the maximum so far."""

    dollars: float  # for training
    retained_dollars: float  # for the warm pool that it left
    saved_dollars: float  # by spot instances
    wasted_dollars_at_most: float  # of training, lost to a preemption or a failure
    final: bool


class JobCost(AttemptCost):
    """The cost of a job, without attempts on types without a known price."""

    unknown_types: list[str]
    prices_as_of: str | None


class CostRange(TypedDict):
    """The range of costs of one complete attempt; None if a price is unknown."""

    least_dollars: float | None
    most_dollars: float | None
    expected_run_time: float  # seconds
    max_runtime: int
    spot: bool
    unknown_types: list[str]
    prices_as_of: str | None
