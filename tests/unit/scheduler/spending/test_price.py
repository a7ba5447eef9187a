"""Prices of instances."""

from decimal import Decimal

import pytest

from scheduler.core.jobs.demand import Demand
from scheduler.core.spending.prices.price import in_dollars
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT, known_in


def test_cost_grows_with_the_instances_and_the_seconds() -> None:
    assert SNAPSHOT.cost(Demand.of({"ml.g5.xlarge": 2}), 3600) == Decimal("2.816")
    assert SNAPSHOT.cost(Demand.of({"ml.g5.xlarge": 1, "ml.p5.48xlarge": 1}), 1800) == Decimal("32.352")


def test_a_cost_is_unknown_as_soon_as_one_price_is() -> None:
    demand = Demand.of({"ml.g5.xlarge": 1, "ml.new.xlarge": 1})
    assert SNAPSHOT.cost(demand, 3600) is None
    assert SNAPSHOT.unknown(demand) == ("ml.new.xlarge",)


def test_processing_jobs_cost_as_much_as_training_jobs() -> None:
    line = Demand.of({"ml.g5.xlarge@processing": 2})
    assert SNAPSHOT.cost(line, 3600) == SNAPSHOT.cost(Demand.of({"ml.g5.xlarge": 2}), 3600)
    assert (SNAPSHOT.unknown(line), SNAPSHOT.as_of(line)) == ((), SNAPSHOT.known["ml.g5.xlarge"].as_of)
    assert SNAPSHOT.unknown(Demand.of({"ml.new.xlarge@processing": 1})) == ("ml.new.xlarge",)


def test_the_snapshot_has_no_prices_of_another_region() -> None:
    elsewhere = known_in("eu-west-1")
    assert known_in("us-east-1") is SNAPSHOT
    assert (elsewhere.region, elsewhere.known) == ("eu-west-1", {})


@pytest.mark.parametrize(
    ("amount", "text"), [("12.304", "12.30"), ("0", "0.00"), ("0.0042", "0.004"), ("1234.5", "1234.50")]
)
def test_money_is_shown_in_cents_and_a_small_amount_never_as_zero(amount: str, text: str) -> None:
    assert in_dollars(Decimal(amount)) == text
