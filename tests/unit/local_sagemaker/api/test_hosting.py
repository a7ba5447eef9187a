"""Models and endpoints are records, so that a program sees which model data it deploys."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.simulation import Simulation

ROLE = "arn:aws:iam::000000000000:role/SageMakerRole"
CONTAINER: Any = {"Image": "image", "ModelDataUrl": "s3://bucket/best/output/model.tar.gz"}
VARIANT: Any = {
    "VariantName": "all",
    "ModelName": "best",
    "InitialInstanceCount": 1,
    "InstanceType": "ml.m5.large",
}


@pytest.fixture
def client() -> Any:
    client = Simulation().client()
    client.create_model(ModelName="best", PrimaryContainer=CONTAINER, ExecutionRoleArn=ROLE)
    client.create_endpoint_config(EndpointConfigName="config", ProductionVariants=[VARIANT])
    return client


def test_an_endpoint_leads_to_its_model_data(client: Any) -> None:
    client.create_endpoint(EndpointName="live", EndpointConfigName="config")
    endpoint = client.describe_endpoint(EndpointName="live")
    assert endpoint["EndpointStatus"] == "InService"
    config = client.describe_endpoint_config(EndpointConfigName=endpoint["EndpointConfigName"])
    model = client.describe_model(ModelName=config["ProductionVariants"][0]["ModelName"])
    assert model["PrimaryContainer"] == CONTAINER


def test_a_second_model_of_a_name_is_refused(client: Any) -> None:
    with pytest.raises(ClientError, match="Cannot create already existing model"):
        client.create_model(ModelName="best", PrimaryContainer=CONTAINER, ExecutionRoleArn=ROLE)


def test_an_endpoint_needs_its_configuration(client: Any) -> None:
    with pytest.raises(ClientError, match=r'Could not find endpoint configuration ".*:endpoint-config/other"'):
        client.create_endpoint(EndpointName="live", EndpointConfigName="other")


def test_a_deleted_model_is_gone(client: Any) -> None:
    client.delete_model(ModelName="best")
    with pytest.raises(ClientError, match=r'Could not find model ".*:model/best"'):
        client.describe_model(ModelName="best")
