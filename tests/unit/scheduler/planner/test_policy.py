"""Settings of the policy that are refused, with their messages."""

from typing import Any

import pytest

from scheduler.core.planner.policy import Ordering, Policy
from scheduler.errors.internal import BadSetting
from support.builders.snapshots import gpus


def test_a_policy_is_read_with_its_teams() -> None:
    values = {"ordering": "shortest", "patience": 60, "teams": {"vision": {"members": ["*ada"], "weight": 2}}}
    policy = Policy.parse(values, gpus(4))
    assert (policy.ordering, policy.patience, policy.teams[0].weight) == (Ordering.SHORTEST, 60, 2.0)


@pytest.mark.parametrize(
    ("values", "key", "allowed"),
    [
        ({"patiense": 1}, "patiense", "patience"),
        ({"patience": -1}, "patience", "0 to 604800"),
        ({"patience": "long"}, "patience", "0 to 604800"),
        ({"patience": True}, "patience", "0 to 604800"),
        ({"starvation_share": 1.5}, "starvation_share", "0.0 to 1.0"),
        ({"running_per_owner": -1}, "running_per_owner", "0 to 1000000"),
        ({"ordering": "random"}, "ordering", "fifo, shortest"),
        ({"teams": {"a": {"members": ["*"], "weight": -1}}}, "teams.a.weight", "above 0"),
        (
            {"teams": {"a": {"members": ["*"], "guarantee": {"ml.g5.xlarge": -1}}}},
            "teams.a.guarantee.ml.g5.xlarge",
            "from 0",
        ),
        ({"teams": {"a": {"members": ["*"], "guarantee": {"ml.g5.xlarge": 5}}}}, "guarantee.ml.g5.xlarge", "0 to 4"),
        ({"teams": {"a": {"wait": 1}}}, "teams.a.wait", "weight"),
        ({"teams": {"a": {"members": ["*"], "weight": True}}}, "teams.a.weight", "above 0"),
        ({"teams": {"a": {"members": ["*"], "guarantee": 2}}}, "teams.a.guarantee", "instance types"),
        ({"teams": {"a": {"members": ["*"], "guarantee": {"ml.g5.xlarge": True}}}}, "teams.a.guarantee", "from 0"),
        ({"teams": {"a": {"members": "*ada"}}}, "teams.a.members", "list of patterns"),
        ({"teams": {"a": {"weight": 2}}}, "teams.a.members", "list of patterns"),
        ({"teams": {"a": {"members": ["*:assumed-role/Vision/ada"]}}}, "teams.a.members", "names a session"),
        ({"teams": {"a": 2}}, "teams.a", "members"),
        ({"teams": {"": {"members": ["*"]}}}, "teams.", "letters"),
        ({"teams": ["a"]}, "teams", "members"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_key_and_what_is_allowed(
    values: dict[str, Any], key: str, allowed: str
) -> None:
    with pytest.raises(BadSetting) as refusal:
        Policy.parse(values, gpus(4))
    assert key in str(refusal.value)
    assert allowed in str(refusal.value)
