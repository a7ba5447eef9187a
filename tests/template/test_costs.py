"""The arithmetic in docs/admin/evaluate.md adds up to the stated cost of the stack."""

import ast
import operator
import re

import pytest

from support.checkout import CHECKOUT
from support.stack.expanded_template import Stack

PAGE = (CHECKOUT / "docs" / "admin" / "evaluate.md").read_text()
ROW = re.compile(r"^\| ([\w' (),]+) \| ([^|]+×[^|]+) \| (\d+\.\d\d) \|$", re.MULTILINE)
# Amounts of time are in the units that are charged for.
UNITS = {"million": "1000000", "KB": "* 0.000001", "GB": "* 1", "hours": "* 1", "host": "* 1"}
UNITS |= {"s": "* 1", "reads": "* 1", "writes": "* 1", "calls": "* 1", "jobs": "* 1"}
OPERATIONS = {ast.Add: operator.add, ast.Mult: operator.mul, ast.Div: operator.truediv}


@pytest.mark.parametrize(("what", "arithmetic", "dollars"), ROW.findall(PAGE))
def test_the_arithmetic_comes_to_the_price(what: str, arithmetic: str, dollars: str) -> None:
    assert _value(_formula(arithmetic)) == pytest.approx(float(dollars), abs=0.0051 if float(dollars) < 1 else 0.05)


def test_every_row_that_calculates_is_checked() -> None:
    assert len(ROW.findall(PAGE)) == len([line for line in PAGE.splitlines() if line.startswith("| ") and "×" in line])


def test_pages_that_repeat_the_cost_of_watched_jobs_say_the_same() -> None:
    (cost,) = (dollars for what, _, dollars in ROW.findall(PAGE) if what == "watched jobs outside the queue")
    for page in ("rules.md", "migrate.md"):
        assert f"${cost}" in (CHECKOUT / "docs" / "admin" / page).read_text()


def test_the_alarms_cost_what_they_are(observability: Stack) -> None:
    (told,) = re.findall(r"^\| alarms \|.* ([\d.]+) each \| ([\d.]+) \|$", PAGE, re.MULTILINE)
    each, together = map(float, told)
    alarms = observability.of_type("AWS::CloudWatch::Alarm")
    assert len(alarms) * each == pytest.approx(together)


def test_an_idle_queue_costs_at_most_60_cents_a_month() -> None:
    idle = PAGE.partition("| idle, in a month")[2].partition("\n\n")[0]
    parts, _, together = idle.partition("**together**")
    assert sum(map(float, re.findall(r"(\d+\.\d\d) \|$", parts, re.MULTILINE))) <= 0.60
    assert float(re.findall(r"about (\d+\.\d\d)", together)[0]) <= 0.60


def test_the_parts_come_to_the_sum() -> None:
    for title in ("idle", "for 1,000 jobs"):
        parts, _, rest = PAGE.partition(f"| {title}")[2].partition("**together**")
        told = re.findall(r"(\d+\.\d\d) \|$", parts, re.MULTILINE)
        (about,) = re.findall(r"about (\d+\.\d\d)", rest.splitlines()[0])
        assert sum(map(float, told)) == pytest.approx(float(about), rel=0.05)


def test_the_totals_add_up() -> None:
    totals = re.findall(r"\| (\d\.\d\d) \| (\d\.\d\d) \| (\d\.\d\d) \| about (\d\.\d\d) \|$", PAGE, re.MULTILINE)
    assert len(totals) == 2
    for *parts, together in totals:
        assert sum(map(float, parts)) == pytest.approx(float(together), abs=0.05)


def _formula(arithmetic: str) -> ast.expr:
    text = re.sub(r"^[\w ]+: |, measured.*|, the records.*|;.*| \([a-z][^)]*\)", "", arithmetic)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text).replace("/ GB", "").replace("/ 730 hours", "/ 730")
    words = re.compile(r"\b(" + "|".join(sorted(UNITS, key=len, reverse=True)) + r")\b")
    return ast.parse(words.sub(lambda word: UNITS[word[0]], text).replace("×", "*"), mode="eval").body


def _value(formula: ast.expr) -> float:
    match formula:
        case ast.BinOp(left, operation, right):
            return float(OPERATIONS[type(operation)](_value(left), _value(right)))
        case ast.Constant(value):
            return float(str(value))
    raise AssertionError(ast.dump(formula))
