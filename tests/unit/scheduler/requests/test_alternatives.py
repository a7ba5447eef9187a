"""The request of each alternative."""

from typing import Any

import pytest

from scheduler.core.requests.alternatives import Alternative, alternatives_from, expand_alternatives, read_alternatives
from scheduler.errors.refusals import BadRequest
from support.account.simulated_queue import request

SPOT = request(
    "resnet",
    EnableManagedSpotTraining=True,
    StoppingCondition={"MaxRuntimeInSeconds": 60, "MaxWaitTimeInSeconds": 90},
    HyperParameters={"batch-size": "64", "epochs": "3"},
)


def second(**changes: Any) -> dict[str, Any]:
    _, changed = expand_alternatives(SPOT, [Alternative(changes)])
    return dict(changed)


def test_what_is_not_named_stays() -> None:
    changed = second(HyperParameters={"batch-size": "16"})
    assert changed == SPOT | {"HyperParameters": {"batch-size": "16", "epochs": "3"}}


def test_groups_take_the_place_of_a_type() -> None:
    groups = [{"InstanceGroupName": "a", "InstanceType": "ml.g5.xlarge", "InstanceCount": 2}]
    assert second(ResourceConfig={"InstanceGroups": groups})["ResourceConfig"] == {
        "InstanceGroups": groups,
        "VolumeSizeInGB": 1,
    }


def test_a_type_takes_the_place_of_groups() -> None:
    grouped = SPOT | {"ResourceConfig": {"InstanceGroups": [], "VolumeSizeInGB": 1}}
    plain = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2}
    _, changed = expand_alternatives(grouped, [Alternative({"ResourceConfig": plain})])
    assert changed["ResourceConfig"] == plain | {"VolumeSizeInGB": 1}


def test_an_alternative_on_demand_waits_for_no_spot_instances() -> None:
    changed = second(EnableManagedSpotTraining=False)
    assert changed["EnableManagedSpotTraining"] is False
    assert changed["StoppingCondition"] == {"MaxRuntimeInSeconds": 60}


GROUPS = {"InstanceGroups": [{"InstanceGroupName": "a", "InstanceType": "ml.g5.xlarge", "InstanceCount": 2}]}


@pytest.mark.parametrize("given", [SPOT, SPOT | {"ResourceConfig": GROUPS}])
def test_the_alternatives_of_stored_requests_expand_to_them_again(given: dict[str, Any]) -> None:
    changes: list[dict[str, Any]] = [
        {"HyperParameters": {"batch-size": "16"}},
        {"EnableManagedSpotTraining": False},
        {"ResourceConfig": {"InstanceType": "ml.g5.12xlarge", "InstanceCount": 1}},
        {"ResourceConfig": GROUPS | {"VolumeSizeInGB": 90}},
    ]
    alternatives = [Alternative(change, wait) for wait, change in enumerate(changes)]
    stored = expand_alternatives(given, alternatives)
    found = alternatives_from(stored, range(4))
    assert expand_alternatives(given, found) == stored
    assert [one.wait_for_better for one in found] == [0, 1, 2, 3]
    assert found[0].request == {"HyperParameters": {"batch-size": "16"}}


def test_the_request_itself_is_not_changed() -> None:
    before = request("resnet", HyperParameters={"a": "b"})
    known, _ = expand_alternatives(before, [Alternative({"HyperParameters": {"a": "c"}})])
    assert known["HyperParameters"] == {"a": "b"}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ("none", ""),
        ([], ""),
        ([{"request": {"HyperParameters": {}}}] * 5, ""),
        (["ml.g5.xlarge"], "[0]"),
        ([{"request": {"HyperParameters": {}}, "max_wait": 1}], "[0]"),
        ([{"wait_for_better": 1}], "[0].request"),
        ([{"request": {"HyperParameters": {}}, "wait_for_better": True}], "[0].wait_for_better"),
        ([{"request": {"HyperParameters": {}}, "wait_for_better": -1}], "[0].wait_for_better"),
    ],
)
def test_what_is_no_list_of_alternatives_is_refused_with_its_field(given: object, field: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read_alternatives(given)
    assert refused.value.field == f"options.alternatives{field}"
