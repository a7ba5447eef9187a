"""The function `callbacks` reports ends of jobs that the API accepted and the scheduler ran."""

import hmac
import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from integration.functions.conftest import Context
from local_sagemaker.simulation import Simulation
from scheduler.core.history.callbacks.callback import MOST_OPEN
from scheduler.wiring import callbacks, shared, webhooks
from support.account.orchestrators import WEBHOOK_QUEUE, Orchestrators
from support.account.simulated_queue import request
from support.https.sink import HOST, sink

Call = Callable[..., tuple[int, dict[str, Any]]]
SECRET = "AQB8secret+token/for=tests"


@pytest.fixture
def orchestrators(sagemaker: Simulation, monkeypatch: pytest.MonkeyPatch) -> Orchestrators:
    made, fake = shared.client, Orchestrators(waiting={SECRET})

    def client(service: str, **options: Any) -> Any:
        return fake if service in {"stepfunctions", "sqs"} else made(service, **options)

    monkeypatch.setattr(shared, "client", client)
    monkeypatch.setenv("DEAD_LETTERS", "https://sqs/letters")
    monkeypatch.setenv("WEBHOOK_QUEUE", WEBHOOK_QUEUE)
    callbacks.delivery.cache_clear()
    return fake


@pytest.fixture
def deliver(orchestrators: Orchestrators) -> Callable[[], None]:
    from callbacks.handler import handle

    return lambda: handle({}, Context())  # type: ignore[arg-type] # what the handler uses of it


def submission(**on_end: str) -> dict[str, Any]:
    return {"request": request("resnet"), "on_end": on_end}


def test_a_state_machine_gets_heartbeats_and_then_the_end(
    call: Call,
    schedule: Callable[[], None],
    deliver: Callable[[], None],
    sagemaker: Simulation,
    orchestrators: Orchestrators,
) -> None:
    assert call("POST", "/jobs", submission(task_token=SECRET))[0] == 201
    deliver()
    schedule()
    deliver()
    assert orchestrators.heartbeats == [SECRET, SECRET]
    sagemaker.run(3600)
    schedule()
    deliver()
    deliver()
    output = json.loads(orchestrators.reports[SECRET]["output"])
    assert (output["state"], output["training_job"], output["status"]) == ("completed", "resnet-sq-1", "Completed")
    described = sagemaker.client().describe_training_job(TrainingJobName="resnet-sq-1")
    assert output["model_artifacts"] == described["ModelArtifacts"]["S3ModelArtifacts"]
    assert len(orchestrators.heartbeats) == 2


def test_a_cancelled_job_is_a_failure_with_its_reason(
    call: Call, deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    call("POST", "/jobs", submission(task_token=SECRET))
    call("POST", "/jobs/resnet/cancel")
    deliver()
    report = orchestrators.reports[SECRET]
    assert report["error"] == "SageQueue.Stopped"
    assert json.loads(report["cause"])["reason"]["code"] == "cancelled"


def test_an_https_address_gets_the_end_signed_like_a_notice(
    call: Call, deliver: Callable[[], None], orchestrators: Orchestrators, monkeypatch: pytest.MonkeyPatch
) -> None:
    from webhooks.handler import handle

    secret = boto3.client("secretsmanager").create_secret(Name="webhooks", SecretString="first")["ARN"]
    monkeypatch.setenv("WEBHOOK_SECRET", secret)
    assert call("POST", "/jobs", submission(url=f"https://{HOST}/ended?key=t0ken"))[0] == 201
    call("POST", "/jobs/resnet/cancel")
    deliver()
    deliver()
    (message,) = orchestrators.for_webhooks
    with sink() as endpoint:
        monkeypatch.setattr(webhooks, "network", endpoint.network)
        assert handle({"Records": [as_delivered(message)]}, None) == {"batchItemFailures": []}
    (received,) = endpoint.received
    outcome = json.loads(received.body)
    assert (received.path, outcome["job"], outcome["state"]) == ("/ended?key=t0ken", "resnet", "stopped")
    assert received.headers["SageQueue-Notice"] == outcome["id"]
    signed = received.headers["SageQueue-Timestamp"].encode() + b"." + received.body
    assert received.headers["SageQueue-Signature"] == f"v1={hmac.digest(b'first', signed, 'sha256').hex()}"


def as_delivered(message: dict[str, Any]) -> dict[str, Any]:
    """Returns a sent message as SQS delivers it to a function."""
    attributes = {
        name: {"stringValue": value["StringValue"], "dataType": value["DataType"]}
        for name, value in message["MessageAttributes"].items()
    }
    return {"messageId": "1", "body": message["MessageBody"], "messageAttributes": attributes}


def test_an_https_address_on_another_host_is_refused(call: Call) -> None:
    status, refused = call("POST", "/jobs", submission(url="https://evil.example.org/t0ken"))
    assert (status, refused["field"]) == (400, "on_end.url")
    assert "evil.example.org" in refused["message"]
    assert "t0ken" not in json.dumps(refused)
    assert f"use one of these hosts: {HOST}" in refused["remedy"]


def test_a_job_takes_a_limited_number_of_callbacks(call: Call) -> None:
    answers = [call("POST", "/jobs", submission(task_token=f"try-{number}")) for number in range(MOST_OPEN + 1)]
    assert [status for status, _ in answers] == [201, *[200] * (MOST_OPEN - 1), 400]
    assert answers[-1][1]["field"] == "on_end"
    assert call("POST", "/jobs", submission(task_token="try-3"))[0] == 200
    assert len(call("GET", "/jobs/resnet")[1]["callbacks"]) == MOST_OPEN


def test_a_state_that_is_tried_again_gets_its_new_token_answered(
    call: Call, deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    call("POST", "/jobs", submission(task_token=SECRET))
    orchestrators.waiting = {"second"}
    assert call("POST", "/jobs", submission(task_token="second"))[0] == 200
    deliver()
    assert orchestrators.heartbeats == ["second"]
    call("POST", "/jobs/resnet/cancel")
    deliver()
    assert orchestrators.reports.keys() == {"second"}


def test_no_answer_and_no_record_of_the_job_has_the_token(call: Call) -> None:
    answers = [
        call("POST", "/jobs", submission(task_token=SECRET)),
        call("POST", "/jobs", submission(task_token=SECRET)),
        call("POST", "/jobs", {**submission(), "on_end": SECRET}),
        call("POST", "/jobs", submission(task_token=f"{SECRET} ")),
        call("POST", "/jobs", submission(**{SECRET: "x"})),
        call("GET", "/jobs/resnet"),
        call("GET", "/jobs"),
        call("GET", "/jobs/resnet/why"),
        call("GET", "/queue"),
    ]
    assert [status for status, _ in answers] == [201, 200, 400, 400, 400, 200, 200, 200, 200]
    assert SECRET not in json.dumps(answers)
    assert [one["kind"] for one in answers[5][1]["callbacks"]] == ["task_token"]
    assert SECRET not in repr(shared.job_stores().jobs.get("resnet"))


def test_a_stranger_adds_no_callback_to_a_job(
    call: Call, deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    call("PUT", "/config", {"callers": [{"who": ["*"], "may": ["submit"]}]}, caller="arn:aws:iam::000000000000:root")
    call("POST", "/jobs", submission())
    stranger = "arn:aws:sts::000000000000:assumed-role/Intern/eve"
    assert call("POST", "/jobs", submission(task_token=SECRET), caller=stranger)[0] == 409
    deliver()
    assert (orchestrators.heartbeats, orchestrators.reports) == ([], {})


def test_without_the_parameter_callbacks_are_refused(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALLBACKS", "off")
    shared.submissions.cache_clear()
    status, refused = call("POST", "/jobs", submission(task_token=SECRET))
    assert (status, refused["field"]) == (400, "on_end")
    assert "Callbacks=on" in refused["remedy"]
    assert call("POST", "/jobs", submission())[0] == 201
