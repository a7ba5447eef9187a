"""A document of prices is accepted as a whole, or refused with lines and reasons."""

from datetime import date
from decimal import Decimal

import pytest

from scheduler.core.jobs.demand import Demand
from scheduler.core.sections.schema import ConfigKind
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from support.builders.configurations import a_reader
from support.builders.invalid_sections import change_of, problem_of, problems_of
from support.builders.prices import prices

GOOD = """{
  "as_of": "2026-11-20",
  "prices": [
    {"instance_type": "ml.p5.48xlarge", "dollars_per_hour": 55.5, "spot_share": 0.4},
    {"instance_type": "ml.trn1.2xlarge", "dollars_per_hour": 1.5, "gpus": 1},
    {"instance_type": "ml.g5.xlarge", "gpus": 2}
  ]
}"""


def read(section: object) -> PriceList:
    return change_of(ConfigKind.PRICES, section).after.prices.over(SNAPSHOT)


def test_operators_prices_override_the_snapshots() -> None:
    known = read(GOOD)
    assert known.known["ml.p5.48xlarge"].per_hour == Decimal("55.5")
    assert known.known["ml.p5.48xlarge"].as_of == date(2026, 11, 20)
    assert known.known["ml.g5.2xlarge"] == SNAPSHOT.known["ml.g5.2xlarge"]


def test_a_member_that_an_entry_leaves_out_keeps_its_known_value() -> None:
    known = read(GOOD)
    assert known.known["ml.g5.xlarge"] == SNAPSHOT.known["ml.g5.xlarge"]
    assert [known.gpus_of(kind) for kind in ("ml.g5.xlarge", "ml.trn1.2xlarge", "ml.p4d.24xlarge")] == [2, 1, 8]


def test_of_several_prices_the_oldest_dates_the_sum() -> None:
    both = Demand.of({"ml.p5.48xlarge": 1, "ml.m5.large": 1})
    assert read(GOOD).as_of(both) == SNAPSHOT.known["ml.m5.large"].as_of


def test_a_spot_share_is_known_only_if_each_type_has_one() -> None:
    known = read(GOOD)
    assert known.spot_share(Demand.of({"ml.p5.48xlarge": 1})) == Decimal("0.4")
    assert known.spot_share(Demand.of({"ml.p5.48xlarge": 1, "ml.m5.large": 1})) is None


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('"as_of": "2026-11-20"', '"as_of": "2026-11-23"', 2, "as_of", "is in the future"),
        ('"as_of": "2026-11-20"', '"as_of": "soon"', 2, "as_of", "must be a day such as"),
        ('"as_of": "2026-11-20"', '"as_of": "1999-12-31"', 2, "as_of", "must be in the years 2000 to 2099"),
        ('"as_of": "2026-11-20",', "", 1, "as_of", "missing"),
        ("55.5", "0", 4, "prices[0].dollars_per_hour", "must be above 0"),
        ("55.5", "-1", 4, "prices[0].dollars_per_hour", "must be above 0"),
        ("55.5", "55500", 4, "prices[0].dollars_per_hour", "at most 10000"),
        ("55.5", '"55.5"', 4, "prices[0].dollars_per_hour", "must be a number"),
        ("0.4", "40", 4, "prices[0].spot_share", "at most 1"),
        ('"gpus": 2', '"gpus": -1', 6, "prices[2].gpus", "must be 0 to"),
        (', "gpus": 2', "", 6, "prices[2]", "must have at least one of dollars_per_hour, spot_share and gpus"),
        ("ml.g5.xlarge", "g5.xlarge", 6, "prices[2].instance_type", "must be an instance type"),
        ("ml.g5.xlarge", "ml.p5.48xlarge", 6, "prices[2].instance_type", "has an entry above"),
        ('"gpus": 2', '"cores": 2', 6, "prices[2].cores", "not a known member"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(ConfigKind.PRICES, GOOD, good, bad, f"prices.{field}")
    assert (problem.line, reason in problem.message) == (line, True), problem.message


def test_prices_may_be_of_tomorrow_because_tomorrow_begins_earlier_elsewhere() -> None:
    assert read(prices("2026-11-22", ml_g5_xlarge=1)).known["ml.g5.xlarge"].as_of == date(2026, 11, 22)
    assert [problem.field for problem in problems_of(ConfigKind.PRICES, prices("2026-11-23"))] == ["prices.as_of"]


def test_the_prices_in_force_override_those_known_without_them() -> None:
    reader = a_reader(prices=prices("2026-11-20", ml_g5_xlarge=9.5))
    assert reader.prices().known["ml.g5.xlarge"].per_hour == Decimal("9.5")
    assert a_reader().prices() == SNAPSHOT
