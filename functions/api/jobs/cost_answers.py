"""JSON types of the cost of jobs and attempts, in US dollars (docs/api.md)."""

from typing_extensions import TypedDict

from api.http.answers import Day


class AttemptCost(TypedDict):
    """The amount that SageMaker bills for an attempt; until that is final, the most that it can be so far.

    `dollars` are for training, `retained_dollars` for the warm pool that it left. `saved_dollars` is the saving of spot
    instances. `wasted_dollars_at_most` is for training lost to a preemption or a failure.
    """

    dollars: float
    retained_dollars: float
    saved_dollars: float
    wasted_dollars_at_most: float
    final: bool


class JobCost(AttemptCost):
    """The sum over the attempts whose types have a known price. `prices_as_of` is the day of the oldest price."""

    unknown_types: list[str]
    prices_as_of: Day | None


class CostRange(TypedDict):
    """The cost of one attempt that runs to its end; null if a price is not known. Times are in seconds.

    The least is for `expected_run_time`, learned from similar jobs, with the cheapest choice. The most is for the time
    limit, with the dearest choice. A job that is preempted or retried may cost more in all. With `spot` it may cost
    less: `least_dollars` includes that only if the prices document has a `spot_share`.
    """

    least_dollars: float | None
    most_dollars: float | None
    expected_run_time: float
    max_runtime: int
    spot: bool
    unknown_types: list[str]
    prices_as_of: Day | None
