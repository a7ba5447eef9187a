"""The emulator's AutoML jobs launch one training job, and end with it."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.simulation import Simulation, Workload
from support.builders.automl_requests import an_automl_request


def an_automl_job(workload: Workload) -> tuple[Simulation, Any]:
    simulation = Simulation(lambda _request: workload)
    client = simulation.client()
    client.create_auto_ml_job_v2(**an_automl_request("Churn", owner="ada"))
    return simulation, client


def status(client: Any) -> tuple[str, str]:
    shown = client.describe_auto_ml_job_v2(AutoMLJobName="churn")  # names are case-insensitive
    return shown["AutoMLJobStatus"], shown["AutoMLJobSecondaryStatus"]


@pytest.mark.parametrize(("exit_code", "end"), [(0, "Completed"), (1, "Failed")])
def test_an_automl_job_ends_as_its_training_job_does(exit_code: int, end: str) -> None:
    simulation, client = an_automl_job(Workload(trains=600, exit_code=exit_code))
    simulation.run(60)
    assert status(client) == ("InProgress", "TrainingModels")
    simulation.run(3000)
    assert status(client) == (end, end)


def test_a_training_job_of_an_automl_job_names_it() -> None:
    simulation, client = an_automl_job(Workload(trains=600))
    (name,) = simulation.machine.jobs
    arn = client.describe_training_job(TrainingJobName=name)["AutoMLJobArn"]
    assert client.describe_auto_ml_job_v2(AutoMLJobName="Churn")["AutoMLJobArn"] == arn
    assert client.list_tags(ResourceArn=arn)["Tags"] == [{"Key": "owner", "Value": "ada"}]


def test_a_stop_ends_the_training_job_first() -> None:
    simulation, client = an_automl_job(Workload(trains=600, heeds_stop_after=30))
    simulation.run(300)
    client.stop_auto_ml_job(AutoMLJobName="Churn")
    client.stop_auto_ml_job(AutoMLJobName="Churn")
    assert status(client) == ("Stopping", "Stopping")
    simulation.run(600)
    assert status(client) == ("Stopped", "Stopped")
    with pytest.raises(ClientError, match="job is in status Stopped"):
        client.stop_auto_ml_job(AutoMLJobName="Churn")


def test_a_name_is_taken_in_any_case_and_an_unknown_one_is_not_found() -> None:
    _, client = an_automl_job(Workload())
    with pytest.raises(ClientError, match="ResourceInUse"):
        client.create_auto_ml_job_v2(**an_automl_request("CHURN"))
    with pytest.raises(ClientError, match="ResourceNotFound"):
        client.describe_auto_ml_job_v2(AutoMLJobName="other")
