"""The page's types of the API's JSON are those of docs/openapi.json, as far as it reads them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scheduler.core.jobs.reason import KEEPS_INSTANCES

ROOT = Path(__file__).parents[3]
SCHEMAS: dict[str, Any] = json.loads((ROOT / "docs/openapi.json").read_text())["components"]["schemas"]
TEXT = (ROOT / "client/ui/src/contract.ts").read_text()
#: Interfaces with another name than their schema.
RENAMED = {
    "Cost": "AttemptCost",
    "BudgetLine": "FreeLine",
    "SpendingMonth": "MonthlySpending",
    "Victims": "PriorityForecast",
    "JobArray": "Array",
}
#: What the page's own server computes from the history and the logs, or keeps while it acts on many jobs.
OF_THE_PAGES_SERVER = {"Sums", "Report", "LogLine", "LogLines", "Batch"}
#: The page shows a job as a whole; of other answers it reads parts.
WHOLE = {"Job", "Options", "Attempt", "Choice", "CostRange", "Violation", "Reason", "Action"}

Members = dict[str, tuple[bool, bool]]  # by name: whether it may be absent, and null


def interfaces() -> dict[str, Members]:
    found: dict[str, Members] = {}
    for name, parent, body in re.findall(r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", TEXT, re.M | re.S):
        members = re.findall(r"^  (\w+)(\??): (.*);$", body, re.M)
        own = {member: (bool(mark), "null" in kind) for member, mark, kind in members}
        found[name] = found.get(parent, {}) | own
    return found


def of_schema(schema: dict[str, Any]) -> Members:
    return {
        name: (name not in schema.get("required", []), {"type": "null"} in kind.get("anyOf", []))
        for name, kind in schema["properties"].items()
    }


@pytest.mark.parametrize(
    ("name", "members"), [each for each in interfaces().items() if each[0] not in OF_THE_PAGES_SERVER]
)
def test_each_type_of_the_page_is_one_of_the_api(name: str, members: Members) -> None:
    schema = of_schema(SCHEMAS[RENAMED.get(name, name)])
    assert members == {member: schema.get(member) for member in members}
    if name in WHOLE:
        assert members.keys() == schema.keys()


def test_the_page_draws_a_reservation_for_each_reason_that_keeps_instances() -> None:
    listed = re.search(r"KEEPS_INSTANCES: .*?\[(.*?)\]", (ROOT / "client/ui/src/lanes.ts").read_text(), re.S)
    assert listed is not None
    assert {*re.findall(r'"(\w+)"', listed[1])} == KEEPS_INSTANCES


def test_all_of_a_job_has_a_type() -> None:
    assert interfaces().keys() >= WHOLE
