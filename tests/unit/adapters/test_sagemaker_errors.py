"""SageMaker's errors become errors of the queue, without quoting secrets."""

from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from scheduler.adapters.aws.sagemaker.training import SageMakerTraining
from scheduler.errors.internal import (
    AttemptExists,
    LimitExceeded,
    OutcomeUnknown,
    Refused,
    Throttled,
    TrainingServiceError,
)
from unit.sagequeue.builders.jobs import a_request

TOO_LONG = "failed to satisfy constraint: Map value must satisfy constraint: [Member must have length of at most 512]"
ODD = "failed to satisfy constraint: Member must satisfy regular expression pattern: .*"
QUOTED = (
    f"2 validation errors detected: Value '{{KEY=a\n'secret' at 'b}}' at 'environment' {TOO_LONG}; "
    f"Value 'secret' at 'hyperParameters.token.member' {ODD}"
)
LEFT = (
    f"2 validation errors detected: Value '…' at 'environment' {TOO_LONG}; "
    f"Value '…' at 'hyperParameters.token.member' {ODD}"
)


SECRET = "hunter2"
WORDS: dict[str, Any] = {"HyperParameters": {"word": "request", "verb": "assume"}}


def refusal(code: str, told: str, request: Any, status: int = 400) -> TrainingServiceError:
    """Returns the error that SageMaker's answer to Create becomes."""
    client = boto3.client("sagemaker", region_name="eu-west-1", aws_access_key_id="any", aws_secret_access_key="any")
    stubber = Stubber(client)
    stubber.add_client_error("create_training_job", code, told, http_status_code=status)
    with stubber, pytest.raises(TrainingServiceError) as caught:
        SageMakerTraining(client).create(request)
    return caught.value


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (QUOTED, LEFT),
        ("1 validation error detected: Value '{KEY=secret", "1 validation error detected: Value '…'"),
        ("Could not assume role arn:x", "Could not assume role arn:x"),
    ],
    ids=["whole", "cut off", "nothing quoted"],
)
def test_a_refused_request_is_not_quoted(told: str, kept: str) -> None:
    assert str(refusal("ValidationException", told, a_request())) == f"ValidationException: {kept}"


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        ("ValidationException", 400, Refused),
        ("ResourceLimitExceeded", 400, LimitExceeded),
        ("ResourceInUse", 400, AttemptExists),
        ("ThrottlingException", 400, Throttled),
        ("InternalFailure", 500, OutcomeUnknown),
    ],
)
def test_no_kind_of_refusal_repeats_a_value_of_the_request(code: str, status: int, kind: type[Exception]) -> None:
    error = refusal(code, f"not with {SECRET}", a_request(Environment={"TOKEN": SECRET}), status)
    assert (type(error), str(error).removeprefix(f"{code}: ")) == (kind, "not with …")


def test_a_value_of_the_request_does_not_make_a_quota_that_is_too_small_one_to_wait_for() -> None:
    told = (
        "The account-level service limit 'ml.g5.xlarge for training job usage' is 0 Instances, with current "
        "utilization of 0 Instances and a request delta of 1 Instances. Please use AWS Service Quotas to request more."
    )
    error = refusal("ResourceLimitExceeded", told, a_request(**WORDS))
    assert isinstance(error, LimitExceeded)
    assert not error.may_pass


@pytest.mark.parametrize(("limit", "may_pass"), [(86400, False), (864000, True)])
def test_a_quota_of_another_unit_can_be_too_small_too(limit: int, may_pass: bool) -> None:
    told = (
        f"The account-level service limit 'Longest run time for a training job' is {limit} Seconds, with current "
        "utilization of 0 Seconds and a request delta of 432000 Seconds."
    )
    error = refusal("ResourceLimitExceeded", told, a_request())
    assert isinstance(error, LimitExceeded)
    assert error.may_pass is may_pass


def test_a_value_of_the_request_does_not_make_a_role_that_is_new_one_that_is_wrong() -> None:
    error = refusal("ValidationException", "Could not assume role arn:x", a_request(**WORDS))
    assert isinstance(error, Refused)
    assert error.may_pass


_DENIED = "User: arn:aws:sts::1:assumed-role/sq-ScheduleFunctionRole/sq is not authorized to perform: "


@pytest.mark.parametrize(
    ("code", "told", "may_pass"),
    [
        ("AccessDeniedException", f"{_DENIED}sagemaker:CreateTrainingJob on resource: arn:x", True),
        (
            "AccessDeniedException",
            f"{_DENIED}sagemaker:AddTags on resource: arn:x because no identity-based policy",
            True,
        ),
        (
            "AccessDeniedException",
            f"{_DENIED}sagemaker:CreateTrainingJob on resource: arn:x with an explicit deny",
            False,
        ),
        ("AccessDeniedException", f"{_DENIED}iam:PassRole on resource: arn:x with an explicit deny in a policy", False),
        ("UnrecognizedClientException", "The security token included in the request is invalid.", True),
    ],
)
def test_what_the_queues_own_new_role_may_not_do_yet_is_tried_again(code: str, told: str, may_pass: bool) -> None:
    error = refusal(code, told, a_request())
    assert isinstance(error, Refused)
    assert error.may_pass is may_pass


@pytest.mark.parametrize(
    "change", [{"Future": SECRET}, {"RetryStrategy": SECRET}], ids=["an unknown member", "another type"]
)
def test_a_request_that_boto3_cannot_send_is_refused_without_a_word_of_it(change: dict[str, Any]) -> None:
    error = refusal("never asked", "", a_request(**change))
    assert isinstance(error, Refused)
    assert "boto3" in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__
    assert SECRET not in str(error)
