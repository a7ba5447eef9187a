"""A job that the budget can never hold is refused with types that it could use."""

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.requests.request_reading import refuse_over_budget
from scheduler.errors.refusals import BeyondBudget

BUDGET = {"ml.m5.large": 0, "ml.g5.xlarge": 2}


@pytest.mark.parametrize("kind", ["ml.p5.48xlarge", "ml.m5.large"])
def test_only_types_that_the_budget_has_instances_of_are_proposed(kind: str) -> None:
    refusal = refused(kind, BUDGET)
    assert refusal.message == f"{kind} is not in the queue's budget"
    assert refusal.field == "ResourceConfig.InstanceType"
    assert refusal.remedy == "Use one of ml.g5.xlarge, or ask an operator to add it to InstanceBudget."


def test_of_an_empty_budget_no_type_is_proposed() -> None:
    assert refused("ml.m5.large", {"ml.m5.large": 0}).remedy == "Ask an operator to add it to InstanceBudget."


def refused(kind: str, budget: dict[str, int]) -> BeyondBudget:
    with pytest.raises(BeyondBudget) as caught:
        refuse_over_budget(Demand.of({kind: 1}), Budget.of(budget))
    return caught.value
