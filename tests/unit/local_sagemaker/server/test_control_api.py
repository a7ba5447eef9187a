"""Fault injection over HTTP: each request of the control API."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from local_sagemaker.conformance.requests import NAME, a_request, spot
from local_sagemaker.server.control_api import control
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.lifecycle import CAPACITY_ERROR, INTERNAL_ERROR
from unit.local_sagemaker.situations import PATIENT, a_job_that_is, secondary_statuses

THROTTLED = {"code": "ThrottlingException", "message": "Rate exceeded"}


def send(simulation: Simulation, method: str, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = control(simulation.machine, method, f"/_control/{path}", json.dumps(body).encode(), simulation.now)
    simulation.run(0)
    return answer.status, json.loads(answer.body)


def test_calls_can_be_throttled_a_number_of_times() -> None:
    simulation = Simulation(behaviour=PATIENT)
    assert send(simulation, "POST", "calls", operation="Create*", times=2, error=THROTTLED) == (200, {})
    for _ in range(2):
        with pytest.raises(ClientError, match="ThrottlingException"):
            simulation.client().create_training_job(**a_request())
    assert simulation.client().create_training_job(**a_request())["TrainingJobArn"]


def test_a_rule_can_apply_to_one_job() -> None:
    simulation = Simulation(behaviour=PATIENT)
    send(simulation, "POST", "calls", job="other-*", error=THROTTLED)
    assert simulation.client().create_training_job(**a_request())
    with pytest.raises(ClientError, match="ThrottlingException"):
        simulation.client().create_training_job(**a_request(TrainingJobName="other-1"))


def test_an_error_can_come_after_the_effect() -> None:
    simulation = Simulation(behaviour=PATIENT)
    failure = {"code": "InternalFailure", "message": "oops", "http_status": 500}
    send(simulation, "POST", "calls", error=failure, takes_effect=True, times=1)
    with pytest.raises(ClientError, match="InternalFailure"):
        simulation.client().create_training_job(**a_request())
    assert secondary_statuses(simulation) == ["Starting"]


@pytest.mark.parametrize("takes_effect", [False, True])
def test_a_call_can_stay_without_an_answer(takes_effect: bool) -> None:
    simulation = Simulation(behaviour=PATIENT)
    send(simulation, "POST", "calls", error="no answer", takes_effect=takes_effect)
    with pytest.raises(ReadTimeoutError):
        simulation.client().create_training_job(**a_request())
    assert (NAME in simulation.machine.jobs) == takes_effect


def test_an_answer_can_be_delayed() -> None:
    simulation = Simulation(behaviour=PATIENT)
    send(simulation, "POST", "calls", delay_seconds=90)
    simulation.client().create_training_job(**a_request())
    assert secondary_statuses(simulation) == ["Starting", "Downloading"]


def test_rules_can_be_removed() -> None:
    simulation = Simulation(behaviour=PATIENT)
    send(simulation, "POST", "calls", error=THROTTLED)
    send(simulation, "POST", "events", arrives_after=[])
    send(simulation, "DELETE", "rules")
    assert simulation.client().create_training_job(**a_request())
    assert simulation.events


def test_a_spot_job_can_be_interrupted_now() -> None:
    simulation = a_job_that_is("training", spot())
    assert send(simulation, "POST", f"jobs/{NAME}/interrupt") == (200, {})
    assert "Interrupted" in secondary_statuses(simulation)


@pytest.mark.parametrize(
    "reason", ["CapacityError: none left", "InternalServerError: We encountered an internal error."]
)
def test_a_job_can_be_failed(reason: str) -> None:
    simulation = a_job_that_is("training")
    send(simulation, "POST", f"jobs/{NAME}/fail", reason=reason)
    assert simulation.client().describe_training_job(TrainingJobName=NAME)["FailureReason"] == reason


def test_a_stop_can_hang_for_more_than_a_day() -> None:
    simulation = a_job_that_is("training")
    send(simulation, "POST", f"jobs/{NAME}/hang")
    simulation.client().stop_training_job(TrainingJobName=NAME)
    simulation.run(2 * 86_400)
    assert secondary_statuses(simulation)[-1] == "Stopping"
    send(simulation, "POST", f"jobs/{NAME}/release")
    simulation.run(60)
    assert secondary_statuses(simulation)[-1] == "Stopped"


def test_a_withheld_report_is_ignored_when_the_instances_are_gone() -> None:
    simulation = a_job_that_is("training", a_request(RetryStrategy={"MaximumRetryAttempts": 1}))
    send(simulation, "POST", f"jobs/{NAME}/hang")
    simulation.fail(NAME, INTERNAL_ERROR)
    simulation.run(700)
    send(simulation, "POST", f"jobs/{NAME}/release")
    simulation.run(10)
    assert secondary_statuses(simulation)[-1] in {"Starting", "Downloading"}


def test_capacity_returns_at_the_given_time() -> None:
    simulation = Simulation(behaviour=PATIENT)
    send(simulation, "PUT", "capacity", instance_type="ml.m5.large", back_in_seconds=1800)
    simulation.client().create_training_job(**a_request())
    simulation.run(1800 + 59)
    assert secondary_statuses(simulation) == ["Starting", "Pending"]
    simulation.run(1)
    assert secondary_statuses(simulation) == ["Starting", "Pending", "Downloading"]


def test_a_shortage_can_affect_spot_instances_in_one_subnet() -> None:
    simulation = Simulation(behaviour=PATIENT)
    here = {"instance_type": "ml.m5.large", "spot": True, "subnet": "subnet-1"}
    send(simulation, "PUT", "capacity", **here, back_in_seconds=None)
    for name, request in (("spot", spot()), ("other", a_request())):
        vpc = {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1"]}
        simulation.client().create_training_job(**request | {"TrainingJobName": name, "VpcConfig": vpc})
    simulation.run(60)
    assert [job.secondary for job in simulation.machine.jobs.values()] == ["Pending", "Downloading"]


def test_a_shortage_without_an_end_lasts_until_it_is_replaced() -> None:
    simulation = a_job_that_is("starting")
    send(simulation, "PUT", "capacity", instance_type="ml.m5.large", back_in_seconds=None)
    simulation.run(86_400)
    assert secondary_statuses(simulation) == ["Starting", "Pending"]
    send(simulation, "PUT", "capacity", instance_type="ml.m5.large", back_in_seconds=0)
    simulation.run(60)
    assert secondary_statuses(simulation)[-1] == "Downloading"


@pytest.mark.parametrize("seconds", [0, 1800])
def test_a_job_that_finds_no_capacity_can_fail_at_once_or_late(seconds: float) -> None:
    simulation = Simulation(behaviour=PATIENT)
    none_left = {"instance_type": "ml.m5.large", "back_in_seconds": None, "fails_after_seconds": seconds}
    send(simulation, "PUT", "capacity", **none_left)
    simulation.client().create_training_job(**a_request())
    simulation.run(seconds)
    description = simulation.client().describe_training_job(TrainingJobName=NAME)
    assert description["FailureReason"] == CAPACITY_ERROR
    assert secondary_statuses(simulation) == ["Starting", "Pending", "Failed"]
    assert description["TrainingEndTime"].timestamp() - description["CreationTime"].timestamp() == seconds


def test_quotas_can_change_while_jobs_run() -> None:
    simulation = a_job_that_is("training")
    send(simulation, "PUT", "quotas", on_demand={"ml.m5.large": 1}, total=5)
    with pytest.raises(ClientError, match="current utilization of 1 Instances"):
        simulation.client().create_training_job(**a_request(TrainingJobName="second"))


def test_undocumented_behaviour_can_be_chosen() -> None:
    simulation = a_job_that_is("stopping")
    send(simulation, "PUT", "unknowns", refuses_second_stop=True)
    with pytest.raises(ClientError, match="is in status Stopping"):
        simulation.client().stop_training_job(TrainingJobName=NAME)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "text"),
    [
        ("GET", "calls", {}, 404, "No such request or job: GET /_control/calls"),
        ("POST", "jobs/nobody/interrupt", {}, 404, "No such request or job: POST /_control/jobs/nobody/interrupt"),
        ("POST", f"jobs/{NAME}/dance", {}, 404, "No such request or job: POST"),
        ("POST", "calls", {"opration": "x"}, 400, "opration: Unexpected keyword argument"),
        ("POST", "calls", {"times": "many"}, 400, "times: Input should be a valid integer"),
        ("POST", "calls", {"delay_seconds": float("inf")}, 400, "Infinity is not a usable number"),
        ("POST", "calls", {"delay_seconds": -1}, 400, "delay_seconds: Input should be greater than or equal to 0"),
        ("POST", "calls", {"delay_seconds": 10**400}, 400, "delay_seconds: "),
        ("POST", "calls", {"error": "no anser"}, 400, "error"),
        ("POST", "events", {}, 400, "arrives_after: Field required"),
        ("PUT", "quotas", {"on_demand": 3}, 400, "on_demand: Input should be an object"),
        ("PUT", "unknowns", {"silent_statuses": ["Dancing"]}, 400, "silent_statuses"),
    ],
)
def test_an_invalid_request_is_refused(method: str, path: str, body: dict[str, Any], status: int, text: str) -> None:
    refused = send(a_job_that_is("training"), method, path, **body)
    assert refused[0] == status
    assert text in refused[1]["error"]


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, b"null", b"[]"])
def test_a_body_that_is_not_a_json_object_is_refused(body: bytes) -> None:
    answer = control(Simulation().machine, "POST", "/_control/calls", body, 0)
    assert answer.status == 400
