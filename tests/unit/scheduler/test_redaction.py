"""What a job's reason may repeat of SageMaker's words about its request."""

from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from scheduler.adapters.sagemaker_training import SageMakerTraining
from scheduler.errors import Refused
from scheduler.policy.redaction import redacted
from simulation.harness import request

REQUEST: dict[str, Any] = {
    "HyperParameters": {"password": "hunter2-and-more", "epochs": "10"},
    "Environment": {"TOKEN": "hunter2"},
    "ResourceConfig": {"InstanceType": "ml.m5.large"},
}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "1 validation error detected: Value 'hunter2' at 'environment.TOKEN.member' failed to satisfy constraint",
            "1 validation error detected: Value '…' at 'environment.TOKEN.member' failed to satisfy constraint",
        ),
        ("Value 'x' at 'hyperParameters.a.member' failed", "Value '…' at 'hyperParameters.a.member' failed"),
        ("password=hunter2-and-more is too simple", "password=… is too simple"),
        ("at most 10 of ml.m5.large", "at most 10 of ml.m5.large"),
        (
            "Value 'ml.x' at 'resourceConfig.instanceType' failed to satisfy constraint",
            "Value 'ml.x' at 'resourceConfig.instanceType' failed to satisfy constraint",
        ),
    ],
)
def test_values_of_hyperparameters_and_environment_are_not_repeated(said: str, kept: str) -> None:
    assert redacted(said, REQUEST) == kept


def test_a_request_without_either_is_quoted_as_it_is() -> None:
    assert redacted("Could not assume role", {}) == "Could not assume role"


def test_a_refusal_of_sagemakers_becomes_a_reason_without_them() -> None:
    client = boto3.client("sagemaker", "eu-west-1", aws_access_key_id="none", aws_secret_access_key="none")
    said = "1 validation error detected: Value 'hunter2' at 'environment.TOKEN.member' failed to satisfy constraint"
    stub = Stubber(client)
    stub.add_client_error("create_training_job", "ValidationException", said, http_status_code=400)
    stub.activate()
    with pytest.raises(Refused) as refusal:
        SageMakerTraining(client).create(request("resnet-sq-1", Environment=REQUEST["Environment"]))
    assert "environment.TOKEN" in str(refusal.value)
    assert "hunter2" not in str(refusal.value)
