"""QueueClient against the API's contract."""

from pathlib import Path

import boto3
import pytest
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials
from botocore.exceptions import ClientError

from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.http import Call, serving, serving_once
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient
from sagequeue.api.answers import unpack
from sagequeue.errors import (
    AccessDenied,
    AlreadyFinished,
    CredentialsMissing,
    InvalidSubmission,
    NameTaken,
    NotAQueue,
    OtherVersion,
    OverBudget,
    QueueError,
    QueueUnreachable,
    TooLarge,
    Unavailable,
    UnknownJob,
)
from unit.sagequeue.builders.jobs import a_request

TOO_MANY = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 3, "VolumeSizeInGB": 30}


def test_a_submitted_request_arrives_unchanged(client: QueueClient, queue: FakeQueue) -> None:
    request = a_request(HyperParameters={"λ": "0.1 ☃"})
    assert client.submit(request)["position"] == 2
    assert queue.requests["resnet"] == request


def test_callbacks_travel_beside_the_request(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request(), on_end={"task_token": "secret"})
    assert queue.calls[-1].body == {"request": a_request(), "on_end": {"task_token": "secret"}}


def test_the_same_request_again_is_the_same_job(client: QueueClient) -> None:
    assert client.submit(a_request()) == {**client.submit(a_request()), "is_new": True}


def test_one_job_comes_with_its_request(client: QueueClient) -> None:
    client.submit(a_request())
    assert client.get("resnet")["request"] == a_request()


def test_jobs_are_listed_over_all_pages(client: QueueClient) -> None:
    for number in range(5):
        client.submit(a_request(f"job-{number}"))
    assert [job["name"] for job in client.list()] == ["job-0", "job-1", "job-2", "job-3", "job-4"]
    assert len(list(client.list(limit=3))) == 3
    assert list(client.list(state="running")) == []


def test_a_cancelled_job_is_stopped_and_may_be_cancelled_again(client: QueueClient) -> None:
    client.submit(a_request())
    assert client.cancel("resnet")["state"] == "stopped"
    assert client.cancel("resnet")["state"] == "stopped"


@pytest.mark.parametrize(
    ("request_body", "kind", "field"),
    [
        ({"TrainingJobName": "x"}, InvalidSubmission, "ResourceConfig"),
        (a_request(ResourceConfig=TOO_MANY), OverBudget, "ResourceConfig.InstanceCount"),
        (a_request(RoleArn="other"), NameTaken, "TrainingJobName"),
    ],
)
def test_a_refused_submission_names_the_field_and_the_remedy(
    client: QueueClient, request_body: dict[str, object], kind: type[InvalidSubmission], field: str
) -> None:
    client.submit(a_request())
    with pytest.raises(kind, match="Do it otherwise") as caught:
        client.submit(request_body)
    assert caught.value.field == field


def test_a_body_over_the_limit_is_a_validation_error(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults = [(413, {"error": "too_large", "message": "The body has 5 MB.", "field": None, "remedy": "Less."})]
    with pytest.raises(ClientError, match="5 MB") as caught:
        client.submit(a_request())
    assert isinstance(caught.value, TooLarge)
    assert caught.value.response["Error"]["Code"] == "ValidationException"


@pytest.mark.parametrize("words", [{"message": "Request Too Long"}, b"HTTP content length exceeded 10485760 bytes."])
def test_a_body_that_api_gateway_itself_finds_too_large_is_one_too(
    client: QueueClient, queue: FakeQueue, words: object
) -> None:
    queue.faults = [(413, words)]
    with pytest.raises(TooLarge, match=r"has \d+ bytes; the queue accepts at most 1\.25 MB\. Put large"):
        client.submit(a_request())


def test_a_call_that_the_stack_does_not_know_names_the_versions(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults = [(404, {"error": "unknown_path", "message": "There is no /budget.", "field": None, "remedy": ""})]
    with pytest.raises(OtherVersion, match="install the client version that matches"):
        client.budget()


@pytest.mark.parametrize(
    ("error", "kind"),
    [("MissingAuthenticationTokenException", OtherVersion), ("AccessDeniedException", AccessDenied)],
)
def test_an_unknown_path_of_api_gateway_is_no_missing_permission(error: str, kind: type[QueueError]) -> None:
    answer = requests.Response()
    answer.status_code, answer.url = 403, "https://x.execute-api.eu-west-1.amazonaws.com/v1/budget"
    answer.headers["x-amzn-ErrorType"] = error
    answer.request = requests.Request("GET", answer.url).prepare()
    with pytest.raises(kind):
        unpack(answer)


@pytest.mark.parametrize("name", ["other", "", "a/../b", "..", "x" * 64])
def test_a_name_that_the_queue_does_not_have_is_unknown(client: QueueClient, name: str) -> None:
    with pytest.raises(UnknownJob):
        client.get(name)


def test_a_late_cancel_is_refused(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    queue.life = queue.life[-1:]
    with pytest.raises(AlreadyFinished):
        client.cancel("resnet")


def test_passing_trouble_is_retried_until_it_has_passed(client: QueueClient, queue: FakeQueue, clock: Clock) -> None:
    queue.faults = [(429, {}), (503, {}), (500, {})]
    assert client.submit(a_request())["name"] == "resnet"
    assert len(queue.calls) == 4
    assert clock.now > 0


def test_a_submission_without_an_answer_names_the_command_to_check(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults = [(503, {})] * 6
    with pytest.raises(
        QueueUnreachable, match=r"status 503.*sagequeue show resnet.*Submitting the same request again is safe"
    ):
        client.submit(a_request())


def test_what_the_queue_itself_refuses_to_the_end_keeps_its_remedy(client: QueueClient, queue: FakeQueue) -> None:
    refusal = {
        "error": "unreadable_record",
        "message": "A record cannot be read",
        "field": None,
        "remedy": "Repair it.",
    }
    queue.faults = [(503, refusal)] * 6
    with pytest.raises(Unavailable, match=r"A record cannot be read\. Repair it\."):
        client.submit(a_request())
    assert (queue.faults, len(queue.calls)) == ([], 6)


@pytest.mark.usefixtures("clock")
def test_an_address_without_a_server_is_unreachable() -> None:
    with pytest.raises(QueueUnreachable, match="Connection refused"):
        QueueClient("http://127.0.0.1:9").get("resnet")


@pytest.mark.usefixtures("clock")
def test_a_refused_connection_reports_that_nothing_was_sent() -> None:
    with pytest.raises(QueueUnreachable, match="Nothing was sent or changed"):
        QueueClient("http://127.0.0.1:9").submit(a_request())


def test_a_queue_that_went_away_after_the_first_try_may_have_the_job(clock: Clock) -> None:
    gone = FakeQueue(clock, [])
    gone.faults = [(503, {})]
    with serving_once(gone) as url, pytest.raises(QueueUnreachable, match="may have been submitted"):
        QueueClient(url).submit(a_request())
    assert len(gone.calls) == 1


def test_a_submission_without_an_answer_is_repeated_as_it_was(client: QueueClient, queue: FakeQueue) -> None:
    def lose_the_answer() -> None:
        raise ConnectionAbortedError

    queue.overtaking = [lose_the_answer]
    assert client.submit(a_request(), client_token="build-17")["name"] == "resnet"
    first, second = queue.calls
    assert first.raw == second.raw


def test_a_refused_signature_names_permission_and_address(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults = [(403, {"message": "Forbidden"})]
    with pytest.raises(AccessDenied, match="execute-api:Invoke"):
        client.get("resnet")


@pytest.mark.parametrize("answer", [(200, b"<html>"), (200, []), (404, {"message": "no"}), (302, {}), (418, b"")])
def test_an_answer_of_something_else_is_not_taken_for_a_queue(
    client: QueueClient, queue: FakeQueue, answer: tuple[int, object]
) -> None:
    queue.faults = [answer]
    with pytest.raises(NotAQueue, match="Check the address"):
        client.get("resnet")


def test_an_error_of_a_foreign_server_never_quotes_the_request(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults = [(200, b"<html>")]
    with pytest.raises(NotAQueue) as caught:
        client.page(owner="anna")
    assert "anna" not in str(caught.value)


def test_without_credentials_the_remedy_is_to_sign_in(client: QueueClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with pytest.raises(CredentialsMissing, match="aws sso login"):
        QueueClient().get("resnet")


class NoRole:
    """STS, which allows no role."""

    def answer(self, _: Call) -> tuple[int, bytes]:
        error = "<Code>AccessDenied</Code><Message>anna is not authorized to perform: sts:AssumeRole</Message>"
        return 403, f"<ErrorResponse><Error>{error}</Error></ErrorResponse>".encode()


def test_a_role_that_the_caller_may_not_assume_is_named_with_the_cause(
    client: QueueClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    profile = "role_arn = arn:aws:iam::123456789012:role/training\ncredential_source = Environment\n"
    (tmp_path / "config").write_text(f"[profile training]\n{profile}")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    session = boto3.Session(profile_name="training")
    with serving(NoRole()) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        with pytest.raises(CredentialsMissing, match=r"cannot be used: .*AccessDenied.*sts:AssumeRole\.") as caught:
            QueueClient(session=session).get("resnet")
    assert "aws sso login" in caught.value.remedy


def test_the_signature_fits_what_arrives(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    queue.faults = [(200, {"jobs": [], "next": None, "budget": {}})]
    client.page(state="running", limit=5, token="a+b/c=d e%&ü")
    assert all(call.headers["Authorization"].endswith(signature_of(call)) for call in queue.calls)
    assert queue.calls[-1].path.endswith("next=a%2Bb%2Fc%3Dd%20e%25%26%C3%BC")  # AWS does not read + as a space


def signature_of(call: Call) -> str:
    """Returns the signature that AWS would compute from the bytes on the wire."""
    wanted = ("host", "x-amz-date", "content-type")
    headers = {name: value for name, value in call.headers.items() if name.lower() in wanted}
    request = AWSRequest(call.method, f"http://{call.headers['Host']}{call.path}", headers, call.raw)
    request.context["timestamp"] = call.headers["X-Amz-Date"]
    signer = SigV4Auth(ReadOnlyCredentials("AKIAEXAMPLE", "secret", None, None), "execute-api", "eu-west-1")
    return signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request)
