"""What instances and jobs cost, in US dollars."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class Price(TypedDict):
    """Of one instance, on demand, in US dollars; `spot_share` is the part of spot training that operators expect to be
    billed."""

    dollars_per_hour: float | None
    as_of: str | None
    source: str | None
    spot_share: float | None
    gpus: int


class Prices(Document):
    """`prices` are those that are known, by instance type."""

    region: str
    prices: dict[str, Price]


class AttemptCost(TypedDict):
    """What SageMaker bills for an attempt; if that is not final, the most up to now."""

    dollars: float  # for training
    retained_dollars: float  # for the warm pool that it left
    saved_dollars: float  # by spot instances
    wasted_dollars_at_most: float  # of training, lost to a preemption or a failure
    final: bool


class JobCost(AttemptCost):
    """Without attempts on types that have no known price."""

    unknown_types: list[str]
    prices_as_of: str | None


class CostRange(TypedDict):
    """What one attempt may cost that runs to its end; None where a price is not known."""

    least_dollars: float | None
    most_dollars: float | None
    expected_run_time: float  # seconds
    max_runtime: int
    spot: bool
    unknown_types: list[str]
    prices_as_of: str | None
