"""What SageMaker refuses with, in the queue's words: they go into reasons, notices and logs that everybody reads."""

import boto3
import pytest
from botocore.stub import Stubber

from scheduler.adapters.sagemaker_training import SageMakerTraining
from scheduler.errors import Refused
from unit.sagequeue.jobs import a_request

TOO_LONG = "failed to satisfy constraint: Map value must satisfy constraint: [Member must have length of at most 512]"
ODD = "failed to satisfy constraint: Member must satisfy regular expression pattern: .*"
QUOTED = (
    f"2 validation errors detected: Value '{{KEY=a\n'secret' at 'b}}' at 'environment' {TOO_LONG}; "
    f"Value 'secret' at 'hyperParameters.token.member' {ODD}"
)
LEFT = f"2 validation errors detected: Value at 'environment' {TOO_LONG}; Value at 'hyperParameters.token.member' {ODD}"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (QUOTED, LEFT),
        ("1 validation error detected: Value '{KEY=secret", "1 validation error detected: Value "),
        ("Could not assume role arn:x", "Could not assume role arn:x"),
    ],
    ids=["whole", "cut off", "nothing quoted"],
)
def test_a_refused_request_is_not_quoted(told: str, kept: str) -> None:
    client = boto3.client("sagemaker", region_name="eu-west-1", aws_access_key_id="any", aws_secret_access_key="any")
    stubber = Stubber(client)
    stubber.add_client_error("create_training_job", "ValidationException", told)
    with stubber, pytest.raises(Refused) as caught:
        SageMakerTraining(client).create(a_request())
    assert str(caught.value) == f"ValidationException: {kept}"
