"""AWS Batch's quota shares and fair-share policies as shares of the queue."""

from typing import Any

import pytest

from sagequeue.migration.batch import NotBatch, convert
from scheduler.core.jobs.demand import Demand
from scheduler.core.sections.schema import ConfigKind
from support.builders.configurations import a_stack
from support.builders.invalid_sections import change_of, problems_of

LARGE, SMALL = "ml.p5.48xlarge", "ml.g5.xlarge"


def a_share(name: str = "vision", strategy: str = "LEND_AND_BORROW", **changes: Any) -> dict[str, Any]:
    limits = [{"capacityUnit": LARGE, "maxCapacity": 4}, {"capacityUnit": SMALL, "maxCapacity": 3}]
    sharing = {"strategy": strategy, "borrowLimit": -1}
    return {
        "quotaShareName": name,
        "capacityLimits": limits,
        "resourceSharingConfiguration": sharing,
        "preemptionConfiguration": {"inSharePreemption": "ENABLED"},
        "state": "ENABLED",
        **changes,
    }


def a_policy(**fair: Any) -> dict[str, Any]:
    return {"schedulingPolicies": [{"name": "fair", "fairsharePolicy": fair}]}


@pytest.mark.parametrize(
    ("sharing", "settings"),
    [
        ({"strategy": "RESERVE"}, {"lend": {LARGE: 0, SMALL: 0}, "borrow_at_most": {LARGE: 0, SMALL: 0}}),
        ({"strategy": "LEND"}, {"borrow_at_most": {LARGE: 0, SMALL: 0}}),
        ({"strategy": "LEND_AND_BORROW", "borrowLimit": -1}, {}),
        ({"strategy": "LEND_AND_BORROW"}, {}),
        ({"strategy": "LEND_AND_BORROW", "borrowLimit": 50}, {"borrow_at_most": {LARGE: 2, SMALL: 1}}),
        ({"strategy": "LEND_AND_BORROW", "borrowLimit": 200}, {"borrow_at_most": {LARGE: 8, SMALL: 6}}),
    ],
)
def test_a_strategy_becomes_limits_on_lending_and_borrowing(sharing: dict[str, Any], settings: dict[str, Any]) -> None:
    found = convert([a_share(resourceSharingConfiguration=sharing)])
    assert found.shares == {"vision": {"members": [], "quota": {LARGE: 4, SMALL: 3}, **settings}}


def test_the_queue_accepts_the_section_as_soon_as_it_has_members() -> None:
    shares = {"quotaShares": [a_share(), a_share("speech", "RESERVE")]}
    decay = a_policy(shareDecaySeconds=600, shareDistribution=[{"shareIdentifier": "nlp*", "weightFactor": 0.0001}])
    found, stack = convert([shares, decay]), a_stack(f"{LARGE}=8,{SMALL}=6")
    assert {problem.field for problem in problems_of(ConfigKind.SHARES, found.shares, stack)} == {
        f"shares.{name}.members" for name in ("vision", "speech", "nlp")
    }
    with_members = {name: team | {"members": [f"*:user/{name}/*"]} for name, team in found.shares.items()}
    nlp, speech, vision = change_of(ConfigKind.SHARES, with_members, stack).after.teams
    assert (nlp.name, nlp.weight, speech.reserve) == ("nlp", 1000.0, Demand.of({LARGE: 4, SMALL: 3}))
    assert vision.most == {}
    assert change_of(ConfigKind.POLICY, found.policy, stack).after.policy.usage_half_life == 600


def test_a_lower_factor_is_a_higher_weight() -> None:
    distribution = [{"shareIdentifier": "a", "weightFactor": 0.125}, {"shareIdentifier": "b"}]
    found = convert([a_policy(shareDistribution=distribution)])
    assert {name: team["weight"] for name, team in found.shares.items()} == {"a": 8.0, "b": 1.0}


@pytest.mark.parametrize(
    ("share", "remark"),
    [
        (a_share(), "members: in Batch, each submission names its share"),
        (a_share(preemptionConfiguration={"inSharePreemption": "DISABLED"}), "vision: preemption inside a team"),
        (a_share("v" * 100), f"{'v' * 64}: is named {'v' * 100} in Batch"),
        (a_share(), f"InstanceBudget must have at least {SMALL}=3,{LARGE}=4"),
        (a_share(capacityLimits=[{"capacityUnit": "vCPU", "maxCapacity": 1}]), "vCPU: is not an instance type"),
    ],
)
def test_a_difference_is_remarked(share: dict[str, Any], remark: str) -> None:
    assert any(remark in text for text in convert([share]).remarks)


def test_a_disabled_share_is_left_out() -> None:
    found = convert([{"quotaShares": [a_share("off", state="DISABLED"), a_share("on")]}])
    assert [*found.shares] == ["on"]
    assert any("off: is disabled" in text for text in found.remarks)


def test_settings_without_a_match_are_remarked() -> None:
    fair = {"computeReservation": 50, "shareDistribution": [{"shareIdentifier": "a"}], "shareDecaySeconds": 10}
    found = convert([a_policy(**fair)])
    assert found.policy == {"usage_half_life": "60s"}
    assert any("computeReservation" in text for text in found.remarks)


@pytest.mark.parametrize(
    "content",
    [
        [],
        {},
        {"jobQueues": []},
        {"quotaShares": []},
        {"quotaShares": [{}]},
        {"quotaShares": [a_share(capacityLimits=3)]},
    ],
)
def test_other_content_is_refused(content: object) -> None:
    with pytest.raises(NotBatch):
        convert([content])
