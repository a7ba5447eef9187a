"""A pipeline trains through the queue: SDK v2's step, the function of stacks/pipelines.yaml, the API and `callbacks`.

No pipeline service runs here: the test resolves the variables and sends the messages. `Orchestrators` has the limits of
the service's calls.
"""

import json
import os
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError
from integrations.pipelines import consumer

from integration.functions.conftest import Context
from local_sagemaker.simulation import Simulation
from scheduler.wiring import callbacks, shared
from support.account.orchestrators import Orchestrators, refused
from support.account.simulated_queue import request

os.environ["SAGEMAKER_SUPPRESS_V2_WARNING"] = "1"  # importing SDK v2 warns that there is a v3
from sagemaker.workflow.parameters import ParameterInteger, ParameterString
from sagemaker.workflow.pipeline import Pipeline

from sagequeue.sdks.pipelines import QueuedTrainingStep

Call = Callable[..., tuple[int, dict[str, Any]]]
TOKEN = "AbCdEf0123"
QUEUE_URL = "https://sqs.us-east-1.amazonaws.com/000000000000/steps"
VALUES: dict[str, Any] = {"Input": "s3://data/today", "Runtime": 7200}


@pytest.fixture
def orchestrators(sagemaker: Simulation, monkeypatch: pytest.MonkeyPatch) -> Orchestrators:
    made, fake = shared.client, Orchestrators(waiting={TOKEN})

    def client(service: str, **options: Any) -> Any:
        return fake if service in {"sagemaker", "stepfunctions", "sqs"} else made(service, **options)

    monkeypatch.setenv("DEAD_LETTERS", "https://sqs/letters")
    monkeypatch.setenv("WEBHOOK_QUEUE", "https://sqs/webhooks")
    monkeypatch.setattr(consumer, "boto3", SimpleNamespace(client=client))
    monkeypatch.setattr(shared, "client", client)
    callbacks.delivery.cache_clear()
    callbacks.delivery()
    monkeypatch.setattr(shared, "client", made)  # the scheduler's own client of SageMaker stays the simulation's
    return fake


@pytest.fixture
def deliver(orchestrators: Orchestrators) -> Callable[[], None]:
    from callbacks.handler import handle

    return lambda: handle({}, Context())  # type: ignore[arg-type] # what the handler uses of it


@pytest.fixture
def consume(call: Call, orchestrators: Orchestrators, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Delivers the step's message to the function, whose calls reach the API."""

    def answered(path: str, body: dict[str, Any]) -> tuple[int, str]:
        status, answer = call("POST", path, body)
        return status, json.dumps(answer)

    monkeypatch.setattr(consumer, "_call", answered)
    return lambda step=None, deliveries=1, status="Executing": consumer.handle(
        event(step or a_step(), deliveries, status), None
    )


@pytest.fixture
def ended_job(consume: Callable[..., None], schedule: Callable[[], None], sagemaker: Simulation) -> None:
    """The step's job has run to its end, which the queue has not yet reported."""
    consume()
    schedule()
    sagemaker.run(7200)
    schedule()


def a_step(**changes: Any) -> QueuedTrainingStep:
    training = request("nightly")
    training["StoppingCondition"] = {"MaxRuntimeInSeconds": ParameterInteger(name="Runtime")}
    training["HyperParameters"] = {"input": ParameterString(name="Input"), "epochs": "3"}
    given = {
        "request": training,
        "sqs_queue_url": QUEUE_URL,
        "metrics": ["accuracy"],
        "job_options": {"never_preempt": True},
    }
    return QueuedTrainingStep("Train", **{**given, **changes})


def event(step: QueuedTrainingStep, deliveries: int = 1, status: str = "Executing") -> dict[str, Any]:
    """Returns what SQS delivers to the function, after the service has resolved the variables."""
    arguments = {name: resolved(value) for name, value in defined(step)["Arguments"].items()}
    message = {"token": TOKEN, "pipelineExecutionArn": "arn", "status": status, "arguments": arguments}
    record = {"body": json.dumps(message), "attributes": {"ApproximateReceiveCount": str(deliveries)}}
    return {"Records": [record]}


def defined(step: QueuedTrainingStep) -> dict[str, Any]:
    parameters = [ParameterString(name="Input"), ParameterInteger(name="Runtime")]
    (found,) = json.loads(Pipeline("nightly", parameters, steps=[step]).definition())["Steps"]
    return dict(found)


def resolved(value: Any) -> Any:
    return VALUES[value["Get"].removeprefix("Parameters.")] if isinstance(value, dict) else value


def test_a_pipeline_gets_model_and_metrics_of_its_job(
    call: Call,
    schedule: Callable[[], None],
    deliver: Callable[[], None],
    consume: Callable[..., None],
    sagemaker: Simulation,
    orchestrators: Orchestrators,
) -> None:
    consume()
    (job,) = call("GET", "/jobs")[1]["jobs"]
    assert re.fullmatch(r"nightly-[0-9a-f]{10}", job["name"])
    assert (job["options"]["never_preempt"], job["max_runtime"]) == (True, VALUES["Runtime"])
    hyperparameters = call("GET", f"/jobs/{job['name']}")[1]["request"]["HyperParameters"]
    assert hyperparameters == {"input": VALUES["Input"], "epochs": "3"}
    deliver()
    assert not orchestrators.reports
    schedule()
    sagemaker.run(7200)
    schedule()
    deliver()
    deliver()
    report = orchestrators.reports[TOKEN]
    outputs = {output["Name"]: output["Value"] for output in report["OutputParameters"]}
    declared = {output["OutputName"] for output in defined(a_step())["OutputParameters"]}
    assert outputs["job"] == job["name"]
    assert outputs["model_artifacts"].endswith("model.tar.gz")
    assert declared - {"accuracy"} <= outputs.keys()  # the simulated program reports no metric


def test_a_message_that_is_delivered_twice_submits_one_job_even_after_its_end(
    call: Call, consume: Callable[..., None], schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    consume()
    consume()
    schedule()
    sagemaker.run(7200)
    schedule()
    consume()
    assert [job["state"] for job in call("GET", "/jobs")[1]["jobs"]] == ["completed"]


def test_a_cancelled_job_fails_the_step_with_its_reason(
    call: Call, consume: Callable[..., None], deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    consume()
    (job,) = call("GET", "/jobs")[1]["jobs"]
    call("POST", f"/jobs/{job['name']}/cancel")
    deliver()
    assert job["name"] in orchestrators.reports[TOKEN]["FailureReason"]


def test_a_refused_request_fails_the_step_at_once_and_no_answer_shows_the_token(
    call: Call, consume: Callable[..., None], orchestrators: Orchestrators
) -> None:
    consume(a_step(request={**request("nightly"), "RoleArn": "x" * 3000}))
    reason = orchestrators.reports[TOKEN]["FailureReason"]
    assert reason.startswith("The queue did not take the job (400): ")
    assert TOKEN not in reason
    assert call("GET", "/jobs")[1]["jobs"] == []


@pytest.mark.parametrize("answer", [(503, "Busy"), (409, json.dumps({"error": "busy", "message": "Busy"}))])
def test_a_queue_that_is_busy_gets_the_message_again_until_the_step_fails(
    consume: Callable[..., None],
    orchestrators: Orchestrators,
    monkeypatch: pytest.MonkeyPatch,
    answer: tuple[int, str],
) -> None:
    monkeypatch.setattr(consumer, "_call", lambda _path, _body: answer)
    with pytest.raises(consumer.Unavailable):
        consume()
    assert not orchestrators.reports
    consume(deliveries=5)
    assert f"({answer[0]})" in orchestrators.reports[TOKEN]["FailureReason"]


def test_a_name_of_another_job_fails_the_step_at_once(
    call: Call, consume: Callable[..., None], orchestrators: Orchestrators
) -> None:
    submission = consumer.submission_of(json.loads(event(a_step())["Records"][0]["body"]))
    other = request(submission["request"]["TrainingJobName"])
    assert call("POST", "/add-job", other)[0] == 201
    consume()
    assert "(409)" in orchestrators.reports[TOKEN]["FailureReason"]


def test_stopping_the_pipeline_cancels_the_job_whose_report_ends_the_step(
    call: Call, consume: Callable[..., None], deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    consume()
    consume(status="Stopping")
    (job,) = call("GET", "/jobs")[1]["jobs"]
    assert job["state"] == "stopped"
    deliver()
    assert orchestrators.reports[TOKEN]["FailureReason"].startswith(f"The job {job['name']} stopped")
    consume(status="Stopping")  # delivered again
    assert len(orchestrators.reports) == 1


def test_both_spellings_of_the_status_are_understood(call: Call, consume: Callable[..., None]) -> None:
    consume()
    stopping = event(a_step(), status="Stopping")
    stopping["Records"][0]["body"] = stopping["Records"][0]["body"].replace('"status"', '"Status"')
    consumer.handle(stopping, None)
    assert [job["state"] for job in call("GET", "/jobs")[1]["jobs"]] == ["stopped"]


@pytest.mark.usefixtures("ended_job")
def test_stopping_ends_a_step_whose_job_has_ended(
    consume: Callable[..., None], deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    consume(status="Stopping")
    assert "(409)" in orchestrators.reports[TOKEN]["FailureReason"]
    deliver()
    consume(status="Stopping")
    assert "(409)" in orchestrators.reports[TOKEN]["FailureReason"]


@pytest.mark.usefixtures("ended_job")
def test_stopping_changes_nothing_after_the_report_of_the_queue(
    consume: Callable[..., None], deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    deliver()
    consume(status="Stopping")
    assert "OutputParameters" in orchestrators.reports[TOKEN]


def test_stopping_waits_for_a_late_submission_and_then_ends_the_step(
    call: Call, consume: Callable[..., None], orchestrators: Orchestrators
) -> None:
    with pytest.raises(consumer.Unavailable):
        consume(status="Stopping")
    assert not orchestrators.reports
    consume(status="Stopping", deliveries=5)
    assert "(404)" in orchestrators.reports[TOKEN]["FailureReason"]
    assert call("GET", "/jobs")[1]["jobs"] == []


def test_only_a_report_for_an_ended_step_may_fail(consume: Callable[..., None], orchestrators: Orchestrators) -> None:
    def throttle(_service: str, _operation: str, _perform: object) -> None:
        raise refused("ThrottlingException")

    orchestrators.pass_on = throttle
    with pytest.raises(ClientError, match="ThrottlingException"):
        consume(status="Stopping", deliveries=5)


@pytest.mark.parametrize("status", ["Executing", "Stopping"])
def test_a_message_without_the_name_of_a_job_fails_the_step_at_once(
    call: Call, consume: Callable[..., None], orchestrators: Orchestrators, status: str
) -> None:
    malformed = event(a_step(), status=status)
    malformed["Records"][0]["body"] = malformed["Records"][0]["body"].replace("TrainingJobName", "Name")
    consumer.handle(malformed, None)
    reason = orchestrators.reports[TOKEN]["FailureReason"]
    assert reason == "The message of the step is malformed: KeyError: 'TrainingJobName'"
    assert call("GET", "/jobs")[1]["jobs"] == []


def test_a_request_without_the_name_of_a_job_is_refused() -> None:
    nameless = {name: value for name, value in request("nightly").items() if name != "TrainingJobName"}
    with pytest.raises(ValueError, match=r"has no TrainingJobName\. Add the beginning of the job's name"):
        a_step(request=nameless)


@pytest.mark.parametrize("member", ["HyperParameters", "Environment"])
@pytest.mark.parametrize(("value", "text"), [(7200, "7200"), (0.5, "0.5"), (True, "true"), ("a", "a")])
def test_hyperparameters_and_variables_are_texts(
    call: Call, consume: Callable[..., None], monkeypatch: pytest.MonkeyPatch, member: str, value: object, text: str
) -> None:
    monkeypatch.setitem(VALUES, "Runtime", value)
    consume(a_step(request=request("nightly") | {member: {"runtime": ParameterInteger(name="Runtime")}}))
    (job,) = call("GET", "/jobs")[1]["jobs"]
    assert call("GET", f"/jobs/{job['name']}")[1]["request"][member] == {"runtime": text}


def test_later_steps_name_the_outputs_of_the_step() -> None:
    step = a_step()
    assert step.model_artifacts.expr == {"Get": "Steps.Train.OutputParameters['model_artifacts']"}
    assert step.metric("accuracy").expr == {"Get": "Steps.Train.OutputParameters['accuracy']"}
    with pytest.raises(KeyError):
        step.metric("loss")


def test_every_input_is_a_value_that_the_service_resolves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    arguments = defined(a_step())["Arguments"]
    assert [name for name, value in arguments.items() if not isinstance(value, str)] == ["value_0", "value_1"]
    assert TOKEN not in json.dumps(arguments)


def test_a_step_has_at_most_fifty_outputs() -> None:
    a_step(metrics=[f"m{number}" for number in range(47)])
    with pytest.raises(ValueError, match="at most 47 metrics, not 48"):
        a_step(metrics=[f"m{number}" for number in range(48)])
