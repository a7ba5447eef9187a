"""Arithmetic of instance counts."""

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import (
    Demand,
    is_plan_line,
    is_processing_line,
    processing_line_of,
    total,
    type_of,
)
from scheduler.errors.internal import BadSetting


def test_an_absent_type_counts_as_zero() -> None:
    assert Demand.of({"ml.a": 1, "ml.b": 0}) == Demand.of({"ml.a": 1})
    assert Demand.of({"ml.a": 1})["ml.b"] == 0


def test_it_fits_only_with_every_type() -> None:
    free = Demand.of({"ml.a": 2})
    assert Demand.of({"ml.a": 2}).fits(free)
    assert not Demand.of({"ml.a": 1, "ml.b": 1}).fits(free)


def test_what_is_overdrawn_fits_nothing() -> None:
    overdrawn = Demand.of({"ml.a": 1}) - Demand.of({"ml.a": 3})
    assert overdrawn["ml.a"] == -2
    assert not Demand.of({"ml.a": 1}).fits(overdrawn)


def test_a_total_is_the_sum_by_type() -> None:
    assert total([Demand.of({"ml.a": 1}), Demand.of({"ml.a": 2, "ml.b": 1})]).as_dict() == {"ml.a": 3, "ml.b": 1}


def test_a_budget_is_read_from_its_setting() -> None:
    budget = Budget.parse("ml.p5.48xlarge=2, ml.g5.xlarge=4")
    assert budget.limit.as_dict() == {"ml.g5.xlarge": 4, "ml.p5.48xlarge": 2}
    assert not budget.could_ever_run(Demand.of({"ml.g5.xlarge": 5}))


@pytest.mark.parametrize(
    "text", ["", "ml.g5.xlarge", "ml.g5.xlarge=-1", "g5.xlarge=1", "ml.g5.xlarge=1,ml.g5.xlarge=2"]
)
def test_a_budget_that_cannot_be_read_names_the_setting(text: str) -> None:
    with pytest.raises(BadSetting, match="INSTANCE_BUDGET"):
        Budget.parse(text)


def test_processing_jobs_have_lines_of_their_own() -> None:
    budget = Budget.parse("ml.m5.large=2,ml.m5.large@processing=4")
    assert budget.as_dict() == {"ml.m5.large": 2, "ml.m5.large@processing": 4}
    line = processing_line_of("ml.m5.large")
    assert (is_processing_line(line), is_plan_line(line), type_of(line)) == (True, False, "ml.m5.large")
    assert not is_processing_line("ml.p5.48xlarge@winter")
    with pytest.raises(BadSetting, match="@winter"):
        Budget.parse("ml.m5.large@winter=2")
