"""Capacity shortages by type, spot or on demand, and subnet; and the preference that is selected then."""

from math import inf
from typing import Any

import pytest

from local_sagemaker.conformance.requests import NAME, a_request, spot
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.capacity import CapacityPool, Shortage
from unit.local_sagemaker.situations import PATIENT

TYPE, OTHER = "ml.m5.large", "ml.m5.xlarge"


def in_subnets(*subnets: str) -> dict[str, Any]:
    return a_request(VpcConfig={"SecurityGroupIds": ["sg-1"], "Subnets": list(subnets)})


def preferring(**more: Any) -> dict[str, Any]:
    preferences = [{"InstanceType": TYPE, "InstanceCount": 2}, {"InstanceType": OTHER, "InstanceCount": 1}]
    return a_request(ResourceConfig={"InstancePreferences": preferences, "VolumeSizeInGB": 1}, **more)


def after_shortages(request: dict[str, Any], *pools: CapacityPool, fails_after: float = inf) -> Simulation:
    """Runs the job for two minutes while these pools are empty."""
    simulation = Simulation(behaviour=PATIENT)
    for pool in pools:
        simulation.machine.set_shortage(pool, Shortage(inf, fails_after), simulation.now)
    simulation.client().create_training_job(**request)
    simulation.run(120)
    return simulation


def status(simulation: Simulation) -> str:
    return simulation.machine.jobs[NAME].secondary.value


@pytest.mark.parametrize(
    ("pool", "request_", "is_short"),
    [
        (CapacityPool(TYPE), a_request(), True),
        (CapacityPool(TYPE), spot(), True),
        (CapacityPool(TYPE, spot=True), spot(), True),
        (CapacityPool(TYPE, spot=True), a_request(), False),
        (CapacityPool(TYPE, spot=False), spot(), False),
        (CapacityPool(OTHER), a_request(), False),
        (CapacityPool(TYPE, subnet="subnet-1"), a_request(), False),
        (CapacityPool(TYPE, subnet="subnet-1"), in_subnets("subnet-1"), True),
        (CapacityPool(TYPE, subnet="subnet-1"), in_subnets("subnet-2"), False),
        (CapacityPool(TYPE, subnet="subnet-1"), in_subnets("subnet-1", "subnet-2"), False),
        (CapacityPool(TYPE, subnet="subnet-1", spot=True), in_subnets("subnet-1"), False),
        (CapacityPool(TYPE), in_subnets("subnet-1", "subnet-2"), True),
    ],
)
def test_a_shortage_affects_requests_for_such_instances(
    pool: CapacityPool, request_: dict[str, Any], is_short: bool
) -> None:
    assert (status(after_shortages(request_, pool)) == "Pending") is is_short


def test_a_job_waits_when_all_its_subnets_are_empty() -> None:
    empty = [CapacityPool(TYPE, subnet=subnet) for subnet in ("subnet-1", "subnet-2")]
    assert status(after_shortages(in_subnets("subnet-1", "subnet-2"), *empty)) == "Pending"


def test_a_shortage_of_a_type_replaces_those_of_its_parts() -> None:
    simulation = after_shortages(in_subnets("subnet-1"), CapacityPool(TYPE, subnet="subnet-1"))
    simulation.machine.set_shortage(CapacityPool(TYPE), Shortage(simulation.now), simulation.now)
    simulation.run(60)
    assert status(simulation) == "Downloading"


def selected(simulation: Simulation) -> tuple[Any, Any]:
    resources = simulation.client().describe_training_job(TrainingJobName=NAME)["ResourceConfig"]
    return resources.get("SelectedInstanceType"), resources.get("SelectedInstanceCount")


@pytest.mark.parametrize(
    ("empty", "expected"),
    [
        ([], (TYPE, 2)),
        ([CapacityPool(TYPE)], (OTHER, 1)),
        ([CapacityPool(TYPE, spot=True)], (TYPE, 2)),
        ([CapacityPool(TYPE), CapacityPool(OTHER)], (None, None)),
    ],
)
def test_the_first_available_preference_is_selected(empty: list[CapacityPool], expected: tuple[Any, Any]) -> None:
    assert selected(after_shortages(preferring(), *empty)) == expected


def test_the_job_holds_the_selected_instances() -> None:
    assert after_shortages(preferring(), CapacityPool(TYPE)).machine.held_instances() == {OTHER: 1}


def test_a_count_may_be_given_once_for_all_preferences() -> None:
    preferences = [{"InstanceType": kind} for kind in (TYPE, OTHER)]
    resources = {"InstancePreferences": preferences, "InstanceCount": 3, "VolumeSizeInGB": 1}
    assert selected(after_shortages(a_request(ResourceConfig=resources), CapacityPool(TYPE))) == (OTHER, 3)


def test_a_job_fails_only_when_no_preference_may_still_get_capacity() -> None:
    simulation = after_shortages(preferring(), CapacityPool(TYPE), CapacityPool(OTHER), fails_after=0)
    assert status(simulation) == "Failed"
    simulation = Simulation(behaviour=PATIENT)
    simulation.machine.set_shortage(CapacityPool(TYPE), Shortage(inf, 0), simulation.now)
    simulation.machine.set_shortage(CapacityPool(OTHER), Shortage(inf), simulation.now)
    simulation.client().create_training_job(**preferring())
    simulation.run(120)
    assert status(simulation) == "Pending"
