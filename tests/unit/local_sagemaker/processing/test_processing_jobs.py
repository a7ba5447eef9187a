from math import inf
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.requests import PROCESSING, a_processing_request, a_request
from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.capacity import Shortage
from local_sagemaker.state_machine.limits import Quotas
from local_sagemaker.state_machine.processing.job import processing_key
from unit.local_sagemaker.situations import PATIENT

KEY = processing_key(PROCESSING)
# With the default Workload: instances after 60 s, prepared after 120, run until 720, uploaded after 750.
RUNNING = 300


def a_simulation(workload: Workload | None = None, behaviour: Behaviour = PATIENT, **changes: Any) -> Simulation:
    simulation = Simulation(lambda _: workload or Workload(), behaviour=behaviour)
    simulation.client().create_processing_job(**a_processing_request(**changes))
    return simulation


def described(simulation: Simulation) -> dict[str, Any]:
    return dict(simulation.client().describe_processing_job(ProcessingJobName=PROCESSING))


def status(simulation: Simulation) -> str:
    return str(described(simulation)["ProcessingJobStatus"])


def stop(simulation: Simulation) -> None:
    simulation.client().stop_processing_job(ProcessingJobName=PROCESSING)


def test_a_job_is_in_progress_until_its_outputs_are_uploaded() -> None:
    simulation = a_simulation()
    simulation.run(749)
    assert status(simulation) == "InProgress"
    simulation.run(1)
    done = described(simulation)
    assert done["ProcessingJobStatus"] == "Completed"
    assert (done["ProcessingEndTime"] - done["ProcessingStartTime"]).total_seconds() == 690


def test_a_container_that_fails_fails_the_job_with_its_message() -> None:
    simulation = a_simulation(Workload(exit_code=1, message="no rows"))
    simulation.run(800)
    failed = described(simulation)
    assert failed["ProcessingJobStatus"] == "Failed"
    assert failed["FailureReason"] == "AlgorithmError: See job logs for more information"
    assert failed["ExitMessage"] == "no rows"


def test_a_stopped_job_uploads_before_it_is_stopped() -> None:
    simulation = a_simulation()
    simulation.run(RUNNING)
    stop(simulation)
    simulation.run(30)
    assert status(simulation) == "Stopping"
    simulation.run(10)
    assert status(simulation) == "Stopped"


def test_a_container_that_ignores_the_stop_is_killed_after_the_grace_period() -> None:
    simulation = a_simulation(Workload(heeds_stop_after=None))
    simulation.run(RUNNING)
    stop(simulation)
    simulation.run(PATIENT.grace_seconds + 29)
    assert status(simulation) == "Stopping"
    simulation.run(1)
    assert status(simulation) == "Stopped"


def test_a_job_can_be_stopped_while_it_waits_for_instances_or_prepares() -> None:
    for seconds in (0, 90):
        simulation = a_simulation()
        simulation.run(seconds)
        stop(simulation)
        simulation.run(60)
        assert status(simulation) == "Stopped"


def test_a_job_that_runs_too_long_is_stopped() -> None:
    simulation = a_simulation(Workload(trains=10_000))
    simulation.run(3600 + 60 + 35)
    assert status(simulation) == "Stopped"


def test_processing_jobs_have_their_own_quota() -> None:
    quotas = Quotas(on_demand={"ml.m5.large": 1}, processing={"ml.m5.large": 1, "ml.p3.2xlarge": None})
    simulation = a_simulation(behaviour=Behaviour(rate_factor=1000, quotas=quotas))
    client = simulation.client()
    client.create_training_job(**a_request())
    with pytest.raises(ClientError, match=r"'ml.m5.large for processing job usage' is 1 Instances, with current"):
        client.create_processing_job(**a_processing_request("other"))
    resources = {"ClusterConfig": {"InstanceType": "ml.p3.2xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1}}
    with pytest.raises(ClientError, match=r"resource processing-job/ml.p3.2xlarge is not available"):
        client.create_processing_job(**a_processing_request("other", ProcessingResources=resources))
    assert simulation.machine.held_instances() == simulation.machine.processing.held_instances() == {"ml.m5.large": 1}
    simulation.run(800)
    assert not simulation.machine.processing.held_instances()
    client.create_processing_job(**a_processing_request("other"))


def test_a_shortage_delays_a_waiting_job() -> None:
    simulation = a_simulation()
    simulation.machine.set_shortage("ml.m5.large", Shortage(back_at=inf), simulation.now)
    simulation.run(3600)
    assert "ProcessingStartTime" not in described(simulation)
    simulation.machine.set_shortage("ml.m5.large", Shortage(back_at=0), simulation.now)
    simulation.run(60)
    assert "ProcessingStartTime" in described(simulation)


def test_the_service_selects_one_of_the_preferred_types_with_capacity() -> None:
    preferences = [{"InstanceType": name, "InstanceCount": 2} for name in ("ml.m5.large", "ml.m5.xlarge")]
    resources = {"ClusterConfig": {"InstancePreferences": preferences, "VolumeSizeInGB": 1}}
    simulation = Simulation(behaviour=PATIENT)
    simulation.machine.set_shortage("ml.m5.large", Shortage(back_at=inf), simulation.now)
    simulation.client().create_processing_job(**a_processing_request(ProcessingResources=resources))
    simulation.run(RUNNING)
    cluster = described(simulation)["ProcessingResources"]["ClusterConfig"]
    assert (cluster["SelectedInstanceType"], cluster["SelectedInstanceCount"]) == ("ml.m5.xlarge", 2)
    assert simulation.machine.processing.held_instances() == {"ml.m5.xlarge": 2}


def test_each_change_of_status_sends_an_event() -> None:
    simulation = a_simulation(Tags=[{"Key": "team", "Value": "a"}])
    simulation.run(RUNNING)
    stop(simulation)
    simulation.run(60)
    assert {event["detail-type"] for event in simulation.events} == {"SageMaker Processing Job State Change"}
    details = [event["detail"] for event in simulation.events]
    assert [detail["ProcessingJobStatus"] for detail in details] == ["InProgress", "Stopping", "Stopped"]
    assert details[0]["Tags"] == {"team": "a"}
    assert isinstance(details[0]["CreationTime"], int)


def test_a_job_may_have_the_name_of_a_training_job() -> None:
    simulation = a_simulation()
    simulation.client().create_training_job(**a_request(TrainingJobName=PROCESSING))
    simulation.run(800)
    assert status(simulation) == "Completed"
    assert simulation.machine.jobs[PROCESSING].status == "Completed"


def test_a_job_can_hang_in_stopping() -> None:
    simulation = a_simulation()
    simulation.run(RUNNING)
    simulation.machine.hang(KEY)
    stop(simulation)
    simulation.run(86_400)
    assert status(simulation) == "Stopping"
    simulation.machine.release(KEY, simulation.now)
    simulation.run(60)
    assert status(simulation) == "Stopped"


def test_a_job_that_does_not_exist_or_has_ended_is_refused() -> None:
    simulation = a_simulation()
    client = simulation.client()
    for call in (client.describe_processing_job, client.stop_processing_job, client.delete_processing_job):
        with pytest.raises(ClientError, match="Could not find requested job with name: nobody"):
            call(ProcessingJobName="nobody")
    with pytest.raises(ClientError, match="is in status InProgress"):
        client.delete_processing_job(ProcessingJobName=PROCESSING)
    with pytest.raises(ClientError, match="ResourceInUse"):
        client.create_processing_job(**a_processing_request())
    simulation.run(800)
    with pytest.raises(ClientError, match="is in status Completed"):
        stop(simulation)
    client.delete_processing_job(ProcessingJobName=PROCESSING)
    client.create_processing_job(**a_processing_request())


def test_a_second_stop_succeeds_or_not() -> None:
    simulation = a_simulation()
    simulation.run(RUNNING)
    stop(simulation)
    stop(simulation)
    simulation.machine.set_unknowns(Unknowns(refuses_second_stop=True))
    with pytest.raises(ClientError, match="is in status Stopping"):
        stop(simulation)


def test_jobs_are_listed_in_pages_and_have_tags() -> None:
    simulation = a_simulation()
    client = simulation.client()
    for name in "ab":
        simulation.run(60)
        client.create_processing_job(**a_processing_request(name))
    pages = client.get_paginator("list_processing_jobs").paginate(PaginationConfig={"PageSize": 2})
    names = [job["ProcessingJobName"] for page in pages for job in page["ProcessingJobSummaries"]]
    assert names == ["b", "a", PROCESSING]
    arn = described(simulation)["ProcessingJobArn"]
    client.add_tags(ResourceArn=arn, Tags=[{"Key": "team", "Value": "a"}])
    assert client.list_tags(ResourceArn=arn)["Tags"] == [{"Key": "team", "Value": "a"}]


CLUSTER = {"VolumeSizeInGB": 1}
REFUSED = {
    "no instances": ({"ClusterConfig": CLUSTER}, "Exactly one of InstanceType and InstancePreferences"),
    "no count": ({"ClusterConfig": CLUSTER | {"InstanceType": "ml.m5.large"}}, "InstanceCount must be given"),
    "a selection": (
        {"ClusterConfig": CLUSTER | {"InstanceType": "ml.m5.large", "InstanceCount": 1, "SelectedInstanceCount": 1}},
        "cannot be set",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_contradictory_resources_are_refused(case: str) -> None:
    resources, reason = REFUSED[case]
    with pytest.raises(ClientError, match=reason):
        a_simulation(ProcessingResources=resources)


def test_names_of_inputs_and_outputs_are_unique() -> None:
    source = {"S3Uri": "s3://bucket/in", "S3DataType": "S3Prefix", "LocalPath": "/opt/ml/processing/in"}
    with pytest.raises(ClientError, match="InputName must be unique"):
        a_simulation(ProcessingInputs=[{"InputName": "in", "S3Input": source}] * 2)
