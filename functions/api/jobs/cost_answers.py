"""The JSON of what jobs cost (docs/api.md), as types. All money is in US dollars."""

from typing_extensions import TypedDict

from api.http import answers


class AttemptCost(TypedDict):
    """What SageMaker bills for an attempt; if that is not final, it is the most up to now.

    `dollars` are for training, `retained_dollars` for the warm pool that it left. `saved_dollars` is what spot
    instances saved, and `wasted_dollars_at_most` what a preemption or a failure lost of the training.
    """

    dollars: float
    retained_dollars: float
    saved_dollars: float
    wasted_dollars_at_most: float
    final: bool


class JobCost(AttemptCost):
    """The sum of its attempts, but those of types that have no known price. The oldest of the prices is of that day."""

    unknown_types: list[str]
    prices_as_of: answers.Day | None


class CostRange(TypedDict):
    """What one attempt may cost that runs to its end; null where a price is not known.

    The least is for `expected_run_time`, which is learned from jobs like it, with its cheapest choice; the most for its
    time limit, with its dearest. A job that is preempted or tried again may cost more in all. With `spot` it may cost
    less: `least_dollars` counts that only as far as operators have laid down a `spot_share`. Times in seconds.
    """

    least_dollars: float | None
    most_dollars: float | None
    expected_run_time: float
    max_runtime: int
    spot: bool
    unknown_types: list[str]
    prices_as_of: answers.Day | None
