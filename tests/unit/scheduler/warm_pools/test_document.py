"""A document of pool rules is accepted as a whole, or refused with lines and reasons."""

from decimal import Decimal

import pytest

from scheduler.core.jobs.demand import Demand
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.core.warm_pools.document import rules_of, validated
from scheduler.core.warm_pools.pool_rules import NO_POOLS, PoolUse
from scheduler.errors.config_errors import BadDocument
from support.builders.jobs import GPU, a_job
from support.builders.pool_rules import pool_rules

GOOD = """{
  "format": 1,
  "pools": [
    {"instance_type": "ml.g5.xlarge", "use": "hold", "minutes": 15, "dollars": 2.5},
    {"instance_type": "ml.m5.large", "use": "reuse", "minutes": 30},
    {"instance_type": "ml.x9.large", "use": "off"}
  ]
}"""
TYPES = {GPU, "ml.m5.large", "ml.x9.large"}


def test_a_good_document_is_read() -> None:
    rule = validated(GOOD, TYPES, SNAPSHOT).by_type[GPU]
    assert (rule.use, rule.minutes, rule.dollars) == (PoolUse.HOLD, 15, Decimal("2.5"))


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ('"format": 1', '"format": 2', 1, "format", "must be 1"),
        ('"minutes": 15', '"minutes": 61', 4, "pools[0].minutes", "keeps a pool no longer"),
        ('"minutes": 15', '"minutes": 0', 4, "pools[0].minutes", "must be 1 to 60"),
        ('"minutes": 15, ', "", 4, "pools[0].minutes", "needs a cap in minutes and in dollars"),
        (', "dollars": 2.5', "", 4, "pools[0].dollars", "needs a cap in minutes and in dollars"),
        ('"dollars": 2.5', '"dollars": 0', 4, "pools[0].dollars", "more than 0"),
        ('"dollars": 2.5', '"dollars": 1e999', None, "", "1e999 is too large for a number"),
        ('"dollars": 2.5', '"dollars": "2"', 4, "pools[0].dollars", "must be a number"),
        ('"minutes": 30', '"hours": 1', 5, "pools[1].hours", "is not a known member"),
        ('"reuse"', '"keep"', 5, "pools[1].use", "must be one of off, reuse, hold"),
        ('"ml.m5.large"', '"ml.m5.huge"', 5, "pools[1].instance_type", "not in the budget"),
        ('"ml.m5.large"', '"ml.g5.xlarge"', 5, "pools[1].instance_type", "has a rule above"),
        ('"off"', '"off", "minutes": 5', 6, "pools[2].use", "allows neither"),
        ('"off"', '"hold", "minutes": 5, "dollars": 1', 6, "pools[2].dollars", "no price of ml.x9.large is known"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int | None, field: str, reason: str
) -> None:
    assert good in GOOD
    with pytest.raises(BadDocument) as refusal:
        validated(GOOD.replace(good, bad, 1), TYPES, SNAPSHOT)
    problem = refusal.value.problems[0]
    assert (problem.line, problem.field) == (line, field)
    assert reason in problem.message


@pytest.mark.parametrize(
    ("use", "caps", "asks", "seconds"),
    [
        ("off", {}, 900, 0),
        ("reuse", {"minutes": 30}, 900, 900),
        ("reuse", {"minutes": 10}, 900, 600),
        ("reuse", {"minutes": 30}, 0, 0),
        ("reuse", {}, 900, 300),
        ("hold", {"minutes": 30, "dollars": 100}, 0, 1800),
        ("hold", {"minutes": 30, "dollars": 0.352}, 0, 450),  # for two instances at $1.408 an hour
        ("reuse", {"minutes": 30, "dollars": 0.352}, 1800, 450),
    ],
)
def test_the_rule_of_the_type_says_how_long_instances_are_kept(
    use: str, caps: dict[str, float], asks: int, seconds: int
) -> None:
    job = a_job(demand=Demand.of({GPU: 2}), keep_alive=asks, pool_key="key")
    assert rules_of(pool_rules(GPU, use, **caps)).keep_alive(job) == seconds


def test_without_a_rule_for_its_type_no_job_leaves_a_pool() -> None:
    other = rules_of(pool_rules("ml.m5.large", "hold", minutes=30, dollars=100))
    asking = a_job(keep_alive=900, pool_key="key")
    assert (NO_POOLS.keep_alive(asking), other.keep_alive(asking)) == (0, 0)


def test_nothing_is_held_for_what_can_leave_no_pool() -> None:
    rules = rules_of(pool_rules(GPU, "hold", minutes=30, dollars=100))
    mixed = a_job(demand=Demand.of({GPU: 1, "ml.m5.large": 1}), pool_key="key")
    assert (rules.keep_alive(a_job(pool_key="")), rules.keep_alive(mixed)) == (0, 0)
