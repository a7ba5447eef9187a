"""Where instances are lacking: of a type, spot or on demand, in a subnet; and which preference is selected then."""

from math import inf
from typing import Any

import pytest

from local_sagemaker.conformance.requests import NAME, a_request, spot
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.capacity import Place, Shortage
from unit.local_sagemaker.situations import PATIENT

TYPE, OTHER = "ml.m5.large", "ml.m5.xlarge"


def in_subnets(*subnets: str) -> dict[str, Any]:
    return a_request(VpcConfig={"SecurityGroupIds": ["sg-1"], "Subnets": list(subnets)})


def preferring(**more: Any) -> dict[str, Any]:
    preferences = [{"InstanceType": TYPE, "InstanceCount": 2}, {"InstanceType": OTHER, "InstanceCount": 1}]
    return a_request(ResourceConfig={"InstancePreferences": preferences, "VolumeSizeInGB": 1}, **more)


def after_droughts(request: dict[str, Any], *places: Place, patience: float = inf) -> Simulation:
    """How the job stands after two minutes."""
    simulation = Simulation(behaviour=PATIENT)
    for place in places:
        simulation.world.shorten(place, Shortage(inf, patience), simulation.now)
    simulation.client().create_training_job(**request)
    simulation.run(120)
    return simulation


def status(simulation: Simulation) -> str:
    return simulation.world.jobs[NAME].secondary.value


@pytest.mark.parametrize(
    ("place", "request_", "is_lacking"),
    [
        (Place(TYPE), a_request(), True),
        (Place(TYPE), spot(), True),
        (Place(TYPE, spot=True), spot(), True),
        (Place(TYPE, spot=True), a_request(), False),
        (Place(TYPE, spot=False), spot(), False),
        (Place(OTHER), a_request(), False),
        (Place(TYPE, subnet="subnet-1"), a_request(), False),
        (Place(TYPE, subnet="subnet-1"), in_subnets("subnet-1"), True),
        (Place(TYPE, subnet="subnet-1"), in_subnets("subnet-2"), False),
        (Place(TYPE, subnet="subnet-1"), in_subnets("subnet-1", "subnet-2"), False),
        (Place(TYPE, subnet="subnet-1", spot=True), in_subnets("subnet-1"), False),
        (Place(TYPE), in_subnets("subnet-1", "subnet-2"), True),
    ],
)
def test_a_drought_meets_who_asks_for_such_instances(place: Place, request_: dict[str, Any], is_lacking: bool) -> None:
    assert (status(after_droughts(request_, place)) == "Pending") is is_lacking


def test_with_all_its_subnets_dry_a_job_waits() -> None:
    dry = [Place(TYPE, subnet=subnet) for subnet in ("subnet-1", "subnet-2")]
    assert status(after_droughts(in_subnets("subnet-1", "subnet-2"), *dry)) == "Pending"


def test_what_is_said_of_a_type_replaces_what_was_said_of_its_parts() -> None:
    simulation = after_droughts(in_subnets("subnet-1"), Place(TYPE, subnet="subnet-1"))
    simulation.world.shorten(Place(TYPE), Shortage(simulation.now), simulation.now)
    simulation.run(60)
    assert status(simulation) == "Downloading"


def selected(simulation: Simulation) -> tuple[Any, Any]:
    resources = simulation.client().describe_training_job(TrainingJobName=NAME)["ResourceConfig"]
    return resources.get("SelectedInstanceType"), resources.get("SelectedInstanceCount")


@pytest.mark.parametrize(
    ("dry", "expected"),
    [
        ([], (TYPE, 2)),
        ([Place(TYPE)], (OTHER, 1)),
        ([Place(TYPE, spot=True)], (TYPE, 2)),
        ([Place(TYPE), Place(OTHER)], (None, None)),
    ],
)
def test_the_first_preference_that_there_is_gets_selected(dry: list[Place], expected: tuple[Any, Any]) -> None:
    assert selected(after_droughts(preferring(), *dry)) == expected


def test_what_was_selected_is_what_the_job_holds() -> None:
    assert after_droughts(preferring(), Place(TYPE)).world.held() == {OTHER: 1}


def test_a_count_may_be_given_once_for_all_preferences() -> None:
    preferences = [{"InstanceType": kind} for kind in (TYPE, OTHER)]
    resources = {"InstancePreferences": preferences, "InstanceCount": 3, "VolumeSizeInGB": 1}
    assert selected(after_droughts(a_request(ResourceConfig=resources), Place(TYPE))) == (OTHER, 3)


def test_sagemaker_fails_a_job_only_when_none_of_its_preferences_is_worth_waiting_for() -> None:
    simulation = after_droughts(preferring(), Place(TYPE), Place(OTHER), patience=0)
    assert status(simulation) == "Failed"
    simulation = Simulation(behaviour=PATIENT)
    simulation.world.shorten(Place(TYPE), Shortage(inf, 0), simulation.now)
    simulation.world.shorten(Place(OTHER), Shortage(inf), simulation.now)
    simulation.client().create_training_job(**preferring())
    simulation.run(120)
    assert status(simulation) == "Pending"
