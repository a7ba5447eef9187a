"""A document of prices is accepted as a whole, or refused with lines and reasons."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from queue_replay.documents import MemoryDocumentStore
from scheduler.core.documents.document import Document
from scheduler.core.jobs.demand import Demand
from scheduler.core.spending.prices.document import price_list_of, validated
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.errors.config_errors import BadDocument
from scheduler.observe.prices import Prices
from support.builders.invalid_documents import problem_of

GOOD = """{
  "format": 1, "as_of": "2026-11-20",
  "prices": [
    {"instance_type": "ml.p5.48xlarge", "dollars_per_hour": 55.5, "spot_share": 0.4},
    {"instance_type": "ml.trn1.2xlarge", "dollars_per_hour": 1.5, "gpus": 1},
    {"instance_type": "ml.g5.xlarge", "gpus": 2}
  ]
}"""
TODAY = date(2026, 11, 22)


def test_operators_prices_override_the_snapshots() -> None:
    prices = validated(GOOD, SNAPSHOT, TODAY)
    assert prices.known["ml.p5.48xlarge"].per_hour == Decimal("55.5")
    assert prices.known["ml.p5.48xlarge"].as_of == date(2026, 11, 20)
    assert prices.known["ml.g5.2xlarge"] == SNAPSHOT.known["ml.g5.2xlarge"]


def test_a_member_that_an_entry_leaves_out_keeps_its_known_value() -> None:
    prices = validated(GOOD, SNAPSHOT, TODAY)
    assert prices.known["ml.g5.xlarge"] == SNAPSHOT.known["ml.g5.xlarge"]
    assert [prices.gpus_of(kind) for kind in ("ml.g5.xlarge", "ml.trn1.2xlarge", "ml.p4d.24xlarge")] == [2, 1, 8]


def test_of_several_prices_the_oldest_dates_the_sum() -> None:
    both = Demand.of({"ml.p5.48xlarge": 1, "ml.m5.large": 1})
    assert validated(GOOD, SNAPSHOT, TODAY).as_of(both) == SNAPSHOT.known["ml.m5.large"].as_of


def test_a_spot_share_is_known_only_if_each_type_has_one() -> None:
    prices = validated(GOOD, SNAPSHOT, TODAY)
    assert prices.spot_share(Demand.of({"ml.p5.48xlarge": 1})) == Decimal("0.4")
    assert prices.spot_share(Demand.of({"ml.p5.48xlarge": 1, "ml.m5.large": 1})) is None


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('"as_of": "2026-11-20"', '"as_of": "2026-11-23"', 2, "as_of", "must not be in the future"),
        ('"as_of": "2026-11-20"', '"as_of": "soon"', 2, "as_of", "must be a day such as"),
        ('"as_of": "2026-11-20",', "", 1, "as_of", "missing"),
        ("55.5", "0", 4, "prices[0].dollars_per_hour", "must be above 0"),
        ("55.5", "-1", 4, "prices[0].dollars_per_hour", "must be above 0"),
        ("55.5", "55500", 4, "prices[0].dollars_per_hour", "at most 10000"),
        ("55.5", '"55.5"', 4, "prices[0].dollars_per_hour", "must be a number"),
        ("0.4", "40", 4, "prices[0].spot_share", "at most 1"),
        ('"gpus": 2', '"gpus": -1', 6, "prices[2].gpus", "must be 0 to"),
        (', "gpus": 2', "", 6, "prices[2].dollars_per_hour", "the entry is empty"),
        ("ml.g5.xlarge", "g5.xlarge", 6, "prices[2].instance_type", "must be an instance type"),
        ("ml.g5.xlarge", "ml.p5.48xlarge", 6, "prices[2].instance_type", "has an entry above"),
        ('"gpus": 2', '"cores": 2', 6, "prices[2].cores", "not a known member"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(lambda text: validated(text, SNAPSHOT, TODAY), BadDocument, GOOD, good, bad, field)
    assert (problem.line, reason in problem.message) == (line, True)


def test_with_an_unreadable_document_no_price_is_known() -> None:
    store = MemoryDocumentStore()
    assert Prices(store, SNAPSHOT).current() is SNAPSHOT
    store.add(Document(1, "{", "ada", datetime(2026, 11, 22, tzinfo=UTC)), by="api")
    assert Prices(store, SNAPSHOT).current().known == {}


def test_a_documents_prices_override_those_known_without_it() -> None:
    assert price_list_of(GOOD, SNAPSHOT) == validated(GOOD, SNAPSHOT, TODAY)
