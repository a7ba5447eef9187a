"""The weight of an hour of each instance type in the usage of teams."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.team import Team
from scheduler.core.planner.ordering.fair_share import usage_by_key
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.sections.schema import ConfigKind
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.core.spending.prices.usage_weights import UsageWeights
from support.builders.configurations import a_stack
from support.builders.invalid_sections import change_of
from support.builders.jobs import NOON
from support.builders.snapshots import a_snapshot, running, waiting

LARGE, SMALL = "ml.p5.48xlarge", "ml.m5.large"
NOW = NOON + timedelta(hours=1)


@pytest.mark.parametrize(
    ("weights", "large", "small"),
    [
        (UsageWeights(), 1, 1),
        (UsageWeights(prices=SNAPSHOT), 63.296, 0.115),
        (UsageWeights(prices=PriceList({}, "eu-west-1")), 8, 1),
        (UsageWeights(prices=PriceList({}, "eu-west-1", gpus={LARGE: 4})), 4, 1),
        (UsageWeights({LARGE: 40.0}, SNAPSHOT), 40, 0.115),
    ],
)
def test_the_weight_is_the_operators_then_the_price_then_the_gpus(
    weights: UsageWeights, large: float, small: float
) -> None:
    assert weights.of(Demand.of({LARGE: 2, SMALL: 3})) == pytest.approx(2 * large + 3 * small)


def test_instances_of_a_training_plan_weigh_like_others_of_their_type() -> None:
    weights = UsageWeights({LARGE: 40.0})
    assert weights.of(Demand.of({f"{LARGE}@winter": 2})) == 80


def test_a_configuration_weighs_by_price_until_operators_set_weights() -> None:
    (default,) = (change_of(ConfigKind.POLICY, "{}", a_stack(f"{LARGE}=4")).after.policy,)
    assert default.weights.of(Demand.of({LARGE: 1})) == pytest.approx(63.296)


def test_the_team_on_small_instances_comes_first() -> None:
    teams = (Team("red", ("red",)), Team("blue", ("blue",)))
    live = [
        running("r", demand=Demand.of({LARGE: 1}), owner="red"),
        running("b", demand=Demand.of({SMALL: 3}), owner="blue"),
    ]
    jobs = [waiting("r2", owner="red"), waiting("b2", owner="blue", after=1)]
    snapshot = a_snapshot(1, *live, *jobs)
    weighted = replace(snapshot, policy=Policy(teams=teams, weights=UsageWeights(prices=SNAPSHOT)))
    assert [entry.job.name for entry in plan(weighted, NOW).launches] == ["b2"]
    counted = replace(snapshot, policy=Policy(teams=teams))
    assert [entry.job.name for entry in plan(counted, NOW).launches] == ["r2"]
    used = usage_by_key(weighted, NOW)
    assert used["red"] / used["blue"] == pytest.approx(63.296 / (3 * 0.115))
