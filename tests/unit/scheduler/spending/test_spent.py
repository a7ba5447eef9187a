"""Spending in GPU hours and in dollars."""

from decimal import Decimal

from scheduler.core.spending.limits import Measure
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.core.spending.spent_time import SpentTime

HOUR = 3600.0


def test_instances_of_a_training_plan_cost_no_dollars_but_hours_of_gpus() -> None:
    hours = {"ml.g5.xlarge": HOUR, "ml.p5.48xlarge@winter": HOUR}
    spent = SpentTime(held=hours, billed=hours)
    assert spent.amount(Measure.DOLLARS, SNAPSHOT) == SNAPSHOT.known["ml.g5.xlarge"].per_hour
    assert SNAPSHOT.unknown(spent.billed) == ()
    assert spent.amount(Measure.GPU_HOURS, SNAPSHOT) == Decimal(9)


def test_without_a_price_the_dollars_are_unknown() -> None:
    spent = SpentTime(billed={"ml.g5.xlarge": HOUR, "ml.x9.large": HOUR})
    assert spent.amount(Measure.DOLLARS, SNAPSHOT) is None
    assert SNAPSHOT.unknown(spent.billed) == ("ml.x9.large",)
