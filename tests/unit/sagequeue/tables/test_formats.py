"""The texts of costs."""

import pytest

from sagequeue.tables.formats import attempt_cost_text, cost_text, in_dollars, range_text
from unit.sagequeue.builders.costs import a_cost, a_job_cost, a_range


@pytest.mark.parametrize(
    ("amount", "text"), [(12.304, "$12.30"), (0.0, "$0.00"), (0.0042, "$0.004"), (0.000023, "$0.00002")]
)
def test_a_small_amount_is_never_shown_as_zero(amount: float, text: str) -> None:
    assert in_dollars(amount) == text


def test_a_cost_shows_the_day_of_its_prices() -> None:
    assert cost_text(a_job_cost()) == "$12.30, at prices of 2026-09-25"


def test_pools_savings_and_waste_are_shown_if_present() -> None:
    told = cost_text(a_job_cost(retained_dollars=1.0, saved_dollars=4.0, wasted_dollars_at_most=2.5))
    assert told.startswith("$13.30, ")
    for part in ("$1.00 of it for warm pools", "spot saved $4.00", "up to $2.50 of it wasted"):
        assert part in told


def test_what_is_not_final_is_the_most() -> None:
    assert attempt_cost_text(a_cost(final=False)) == "≤ $12.30"


def test_an_unknown_price_is_never_shown_as_zero() -> None:
    assert attempt_cost_text(None) == "not known"
    assert cost_text(a_job_cost(0, unknown_types=["ml.new.x"], prices_as_of=None)) == "no known price for ml.new.x"
    assert range_text(a_range(most_dollars=None, unknown_types=["ml.new.x"])) == "no known price for ml.new.x"


def test_a_range_shows_its_basis() -> None:
    told = range_text(a_range())
    assert told == (
        "$0.50 to $2.00 per attempt, at prices of 2026-09-25: like similar jobs, about 15 min; its time limit, 60 min"
    )


def test_without_jobs_like_it_there_is_only_the_most() -> None:
    told = range_text(a_range(least_dollars=2.0, expected_run_time=3600.0, spot=True))
    assert told.startswith("$2.00 per attempt, at prices of 2026-09-25: its time limit, 60 min, less with spot savings")
