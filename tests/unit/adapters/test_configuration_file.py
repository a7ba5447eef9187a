"""The file of a deployment is fetched as soon as IAM knows the permission, and a large object is never read."""

from collections.abc import Iterator
from io import BytesIO

import boto3
import pytest
from botocore.response import StreamingBody
from botocore.stub import Stubber

from scheduler.adapters.aws.configuration_file import FileAddress, fetch_file
from scheduler.errors.config_errors import DeploymentRefused

DIGEST = "5f" * 32
ADDRESS = f"files/queue.yaml@sha256:{DIGEST}"


class Unread(BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        raise AssertionError(f"reads {size} bytes")


@pytest.fixture
def s3() -> Iterator[Stubber]:
    client = boto3.client("s3", region_name="eu-west-1", aws_access_key_id="none", aws_secret_access_key="none")
    with Stubber(client) as stubber:
        yield stubber
        stubber.assert_no_pending_responses()


def fetch(s3: Stubber, pauses: list[float]) -> bytes:
    return fetch_file(s3.client, FileAddress.parse(ADDRESS), pauses.append)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"files/queue.yaml@sha256:{DIGEST}", "s3://files/queue.yaml"),
        (
            f"my.bucket/team-a/queue=1/the_queue@2.yaml@sha256:{DIGEST}",
            "s3://my.bucket/team-a/queue=1/the_queue@2.yaml",
        ),
        (f"files/a@sha256/b@sha256:{DIGEST}", "s3://files/a@sha256/b"),
    ],
)
def test_an_address_has_bucket_key_and_digest(text: str, place: str) -> None:
    address = FileAddress.parse(text)
    assert (str(address), address.digest) == (place, DIGEST)


@pytest.mark.parametrize("text", [f"files/queue.yaml@sha256:{DIGEST[1:]}", "files/queue.yaml", "?"])
def test_another_text_is_refused_with_parameter_value_and_remedy(text: str) -> None:
    with pytest.raises(DeploymentRefused) as refused:
        FileAddress.parse(text)
    assert str(refused.value).startswith(f"Configuration: {text!r} is not the address of a file with its digest.")
    assert "Write bucket/key@sha256:DIGEST" in str(refused.value)
    assert "sha256sum FILE" in str(refused.value)


def test_a_permission_that_iam_does_not_know_yet_is_waited_for(s3: Stubber) -> None:
    pauses: list[float] = []
    s3.add_client_error("get_object", "AccessDenied")
    s3.add_client_error("get_object", "AccessDenied")
    s3.add_response("get_object", {"ContentLength": 2, "Body": StreamingBody(BytesIO(b"{}"), 2)})
    assert fetch(s3, pauses) == b"{}"
    assert pauses == [2.0, 5.0]


def test_a_permission_that_is_missing_is_named_after_half_a_minute(s3: Stubber) -> None:
    pauses: list[float] = []
    for _ in range(5):
        s3.add_client_error("get_object", "AccessDenied")
    with pytest.raises(DeploymentRefused, match=r"^s3://files/queue.yaml cannot be read \(AccessDenied\)"):
        fetch(s3, pauses)
    assert sum(pauses) == 32


def test_a_large_object_is_not_read(s3: Stubber) -> None:
    size = 5 * 2**30
    s3.add_response("get_object", {"ContentLength": size, "Body": StreamingBody(Unread(), size)})
    with pytest.raises(DeploymentRefused, match=f"is {size} bytes long"):
        fetch(s3, [])
