"""The section of pools is accepted as a whole, or refused with lines and reasons."""

from decimal import Decimal
from typing import Any

import pytest

from scheduler.core.jobs.demand import Demand
from scheduler.core.sections.schema import ConfigKind
from scheduler.core.warm_pools.pool_rules import NO_POOLS, PoolUse
from support.builders.configurations import a_stack
from support.builders.invalid_sections import change_of, problem_of
from support.builders.jobs import GPU, a_job
from support.builders.pool_rules import pool_rules, the_pool_rules

GOOD = """[


    {"instance_type": "ml.g5.xlarge", "use": "hold", "keep": "15m", "dollars": 2.5},
    {"instance_type": "ml.m5.large", "use": "reuse", "keep": "30m"},
    {"instance_type": "ml.x9.large", "use": "off"}
]"""
STACK = a_stack("ml.g5.xlarge=2,ml.m5.large=2,ml.x9.large=1")


def test_a_good_section_is_read() -> None:
    rule, *_ = change_of(ConfigKind.POOLS, GOOD, STACK).after.pools
    assert (rule.use, rule.minutes, rule.dollars) == (PoolUse.HOLD, 15, Decimal("2.5"))


def test_a_type_that_only_the_calendar_gives_may_have_a_rule() -> None:
    night = {"name": "night", "weekly": ["mon 20:00 - tue 07:00"], "budget": {"ml.m5.large": 1}}
    rule = pool_rules("ml.m5.large", "reuse", keep="10m")
    assert change_of(ConfigKind.POOLS, rule, a_stack("ml.m5.large=0"), calendar={"windows": [night]}).after.pools


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('"keep": "15m"', '"keep": "61m"', 4, "[0].keep", "keeps no pool longer"),
        ('"keep": "15m"', '"keep": "0m"', 4, "[0].keep", "whole minutes from 1m to 60m"),
        ('"keep": "15m"', '"keep": "90s"', 4, "[0].keep", "whole minutes from 1m to 60m"),
        ('"keep": "15m"', '"keep": 15', 4, "[0].keep", "15 has no unit; write 15s"),
        ('"keep": "15m", ', "", 4, "[0].keep", "set limits in time and dollars"),
        (', "dollars": 2.5', "", 4, "[0].dollars", "set limits in time and dollars"),
        ('"dollars": 2.5', '"dollars": 0', 4, "[0].dollars", "more than 0"),
        ('"dollars": 2.5', '"dollars": 1e999', 4, "[0].dollars", "is not a number that JSON can express"),
        ('"dollars": 2.5', '"dollars": "2"', 4, "[0].dollars", "must be a number"),
        ('"keep": "30m"', '"minutes": 30', 5, "[1].minutes", "is not a known member"),
        ('"reuse"', '"keep"', 5, "[1].use", "must be one of off, reuse, hold"),
        ('"ml.m5.large"', '"ml.m5.huge"', 5, "[1].instance_type", "not in the budget"),
        ('"ml.m5.large"', '"ml.g5.xlarge"', 5, "[1].instance_type", "has a rule above"),
        ('"off"', '"off", "keep": "5m"', 6, "[2].use", "allows neither"),
        ('"off"', '"hold", "keep": "5m", "dollars": 1', 6, "[2].dollars", "no price of ml.x9.large is known"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(ConfigKind.POOLS, GOOD, good, bad, f"pools{field}", STACK)
    assert (problem.line, reason in problem.message) == (line, True), problem.message


@pytest.mark.parametrize(
    ("use", "caps", "asks", "seconds"),
    [
        ("off", {}, 900, 0),
        ("reuse", {"keep": "30m"}, 900, 900),
        ("reuse", {"keep": "10m"}, 900, 600),
        ("reuse", {"keep": "30m"}, 0, 0),
        ("reuse", {}, 900, 300),
        ("hold", {"keep": "30m", "dollars": 100}, 0, 1800),
        ("hold", {"keep": "30m", "dollars": 0.352}, 0, 450),  # for two instances at $1.408 an hour
        ("reuse", {"keep": "30m", "dollars": 0.352}, 1800, 450),
    ],
)
def test_the_rule_of_the_type_says_how_long_instances_are_kept(
    use: str, caps: dict[str, Any], asks: int, seconds: int
) -> None:
    job = a_job(demand=Demand.of({GPU: 2}), keep_alive=asks, pool_key="key")
    assert the_pool_rules(GPU, use, **caps).keep_alive(job) == seconds


def test_without_a_rule_for_its_type_no_job_leaves_a_pool() -> None:
    other = the_pool_rules("ml.m5.large", "hold", keep="30m", dollars=100)
    asking = a_job(keep_alive=900, pool_key="key")
    assert (NO_POOLS.keep_alive(asking), other.keep_alive(asking)) == (0, 0)


def test_nothing_is_held_for_what_can_leave_no_pool() -> None:
    rules = the_pool_rules(GPU, "hold", keep="30m", dollars=100)
    mixed = a_job(demand=Demand.of({GPU: 1, "ml.m5.large": 1}), pool_key="key")
    assert (rules.keep_alive(a_job(pool_key="")), rules.keep_alive(mixed)) == (0, 0)
