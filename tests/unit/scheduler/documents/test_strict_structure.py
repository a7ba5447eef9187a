"""A wrong type in a document is reported in the words of JSON, not of Python."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from scheduler.core.calendar.document import calendar_of
from scheduler.core.callers.document import entries_of
from scheduler.core.guardrails.document import rules_of
from scheduler.core.spending.document import rules_of as limits_of
from scheduler.core.spending.prices.document import price_list_of
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.warm_pools.document import rules_of as pool_rules_of
from scheduler.errors.config_errors import BadDocument


def prices_of(text: str) -> PriceList:
    return price_list_of(text, PriceList({}, "eu-west-1"))


@pytest.mark.parametrize("value", [None, 3, "text", True, [], [None]])
@pytest.mark.parametrize(
    ("read", "document", "field"),
    [
        (rules_of, {"rules": ["VALUE"]}, "rules[0]"),
        (rules_of, {"exemptions": ["VALUE"]}, "exemptions[0]"),
        (rules_of, {"failing": "VALUE"}, "failing"),
        (rules_of, {"recovery": "VALUE"}, "recovery"),
        (rules_of, {"recovery": {"patterns": ["VALUE"]}}, "recovery.patterns[0]"),
        (rules_of, {"recovery": {"treatments": "VALUE"}}, "recovery.treatments"),
        (rules_of, {"recovery": {"leaving_spot": "VALUE"}}, "recovery.leaving_spot"),
        (entries_of, {"callers": ["VALUE"]}, "callers[0]"),
        (calendar_of, {"time_zone": "UTC", "windows": ["VALUE"]}, "windows[0]"),
        (pool_rules_of, {"pools": ["VALUE"]}, "pools[0]"),
        (prices_of, {"as_of": "2026-11-20", "prices": ["VALUE"]}, "prices[0]"),
        (limits_of, {"time_zone": "UTC", "limits": ["VALUE"]}, "limits[0]"),
    ],
)
def test_a_member_that_must_be_an_object_is_reported(
    read: Callable[[str], object], document: dict[str, Any], field: str, value: object
) -> None:
    text = json.dumps({"format": 1, **document}).replace('"VALUE"', json.dumps(value))
    with pytest.raises(BadDocument) as refused:
        read(text)
    assert [(problem.field, problem.message) for problem in refused.value.problems] == [(field, "must be an object")]
