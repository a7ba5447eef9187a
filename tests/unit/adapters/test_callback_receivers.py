"""Reports to Step Functions, Pipelines and EventBridge, within their limits."""

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from scheduler.adapters.aws.callback_receivers import (
    AwsCallbackReceivers,
    PipelineSteps,
    SqsDeadLetters,
    StepFunctionsTasks,
    WebhookMessages,
)
from scheduler.adapters.aws.eventbridge import EventBridge
from scheduler.core.history.callbacks.callback import Callback, CallbackKind
from scheduler.core.history.callbacks.outcome import Outcome
from scheduler.errors.internal import CallbackClosed, CallbackFailed
from support.account.orchestrators import WEBHOOK_QUEUE, Orchestrators, refused
from support.builders.jobs import NOON

DONE = Outcome(
    "5f" * 16,
    "resnet",
    "completed",
    "completed",
    "",
    NOON,
    training_job="resnet-sq-1",
    model_artifacts="s3://models/resnet.tar.gz",
    metrics=(("loss", 0.25),),
)
OUTPUTS = {"job": "resnet", "training_job": "resnet-sq-1", "model_artifacts": "s3://models/resnet.tar.gz"}
FAILED = replace(DONE, state="failed", reason="failed", failure_reason="AlgorithmError: disk full")
#: The longest texts that a record of a job can have.
LONGEST = replace(
    DONE,
    state="failed",
    message="é" * 512,
    failure_reason="é" * 512,
    model_artifacts="s" * 1024,
    metrics=tuple((f"{number:03}" + "é" * 126, 0.1234567890123456) for number in range(40)),
)
TASK = Callback("resnet", CallbackKind.TASK_TOKEN, "secret-token", NOON)
STEP = Callback("resnet", CallbackKind.PIPELINE_TOKEN, "abcdefghij", NOON)
BUS = Callback("resnet", CallbackKind.EVENT_BUS, "sagequeue-vision", NOON)
ADDRESS = Callback("resnet", CallbackKind.URL, "https://hooks.example.org/ended", NOON)


class Bus:
    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.refused = False

    def put_events(self, **call: Any) -> Any:
        self.entries += call["Entries"]
        return {"Entries": [{"ErrorCode": "InternalFailure"} if self.refused else {"EventId": "1"}]}


@pytest.fixture
def orchestrators() -> Orchestrators:
    return Orchestrators(waiting={TASK.address, STEP.address})


@pytest.fixture
def bus() -> Bus:
    return Bus()


@pytest.fixture
def receivers(orchestrators: Orchestrators, bus: Bus) -> AwsCallbackReceivers:
    tasks, steps = StepFunctionsTasks(orchestrators), PipelineSteps(orchestrators)
    webhooks = WebhookMessages(orchestrators, WEBHOOK_QUEUE)
    return AwsCallbackReceivers(tasks, steps, lambda name: EventBridge(bus, name), webhooks, "sq")  # type: ignore[arg-type]  # what is used of it


def test_a_state_machine_gets_the_outcome_as_output(
    receivers: AwsCallbackReceivers, orchestrators: Orchestrators
) -> None:
    receivers.report(TASK, DONE)
    assert json.loads(orchestrators.reports[TASK.address]["output"]) == DONE.as_dict()


def test_a_state_machine_can_catch_a_failure_by_its_name(
    receivers: AwsCallbackReceivers, orchestrators: Orchestrators
) -> None:
    receivers.report(TASK, FAILED)
    report = orchestrators.reports[TASK.address]
    assert report["error"] == "SageQueue.Failed"
    assert json.loads(report["cause"])["failure_reason"] == "AlgorithmError: disk full"


def test_a_pipeline_gets_artifacts_and_metrics_as_outputs(
    receivers: AwsCallbackReceivers, orchestrators: Orchestrators
) -> None:
    receivers.report(STEP, DONE)
    assert orchestrators.reports[STEP.address] == {
        "CallbackToken": STEP.address,
        "ClientRequestToken": DONE.id,
        "OutputParameters": [
            {"Name": "job", "Value": "resnet"},
            {"Name": "training_job", "Value": "resnet-sq-1"},
            {"Name": "model_artifacts", "Value": "s3://models/resnet.tar.gz"},
            {"Name": "loss", "Value": "0.25"},
        ],
    }


def test_a_metric_cannot_replace_the_name_of_the_job(
    receivers: AwsCallbackReceivers, orchestrators: Orchestrators
) -> None:
    receivers.report(STEP, replace(DONE, metrics=(("job", 1.0), ("loss", 0.5), ("loss", 0.25))))
    assert outputs_of(orchestrators) == {**OUTPUTS, "loss": "0.25"}


def test_a_step_whose_metrics_are_refused_ends_without_them(
    receivers: AwsCallbackReceivers, orchestrators: Orchestrators
) -> None:
    orchestrators.refused_outputs = frozenset({"loss"})
    receivers.report(STEP, DONE)
    receivers.report(STEP, DONE)  # after a crash
    assert outputs_of(orchestrators) == OUTPUTS


@pytest.mark.parametrize(("code", "calls"), [("ValidationException", 2), ("ThrottlingException", 1)])
def test_only_a_refused_call_is_repeated_without_metrics(
    receivers: AwsCallbackReceivers, orchestrators: Orchestrators, code: str, calls: int
) -> None:
    made: list[str] = []

    def refuse(_service: str, operation: str, _perform: Any) -> None:
        made.append(operation)
        raise refused(code)

    orchestrators.pass_on = refuse
    with pytest.raises((CallbackClosed, CallbackFailed), match=code):
        receivers.report(STEP, DONE)
    assert len(made) == calls
    with pytest.raises((CallbackClosed, CallbackFailed), match=code):
        receivers.report(STEP, replace(DONE, metrics=()))
    assert len(made) == calls + 1


def outputs_of(orchestrators: Orchestrators) -> dict[str, str]:
    return {output["Name"]: output["Value"] for output in orchestrators.reports[STEP.address]["OutputParameters"]}


def test_a_pipeline_gets_a_reason_for_a_failure(receivers: AwsCallbackReceivers, orchestrators: Orchestrators) -> None:
    receivers.report(STEP, FAILED)
    reason = orchestrators.reports[STEP.address]["FailureReason"]
    assert reason == "The job resnet failed: AlgorithmError: disk full"


def test_a_bus_gets_an_event_with_an_id(receivers: AwsCallbackReceivers, bus: Bus) -> None:
    receivers.report(BUS, FAILED)
    (entry,) = bus.entries
    assert (entry["EventBusName"], entry["DetailType"]) == ("sagequeue-vision", "SageQueue Job End")
    assert json.loads(entry["Detail"]) == {"queue": "sq", **FAILED.as_dict()}


def test_a_url_gets_a_message_in_the_queue_of_webhooks(
    receivers: AwsCallbackReceivers, orchestrators: Orchestrators
) -> None:
    receivers.report(ADDRESS, FAILED)
    (message,) = orchestrators.for_webhooks
    assert json.loads(message["MessageBody"]) == {"queue": "sq", **FAILED.as_dict()}
    assert {name: one["StringValue"] for name, one in message["MessageAttributes"].items()} == {
        "webhook": ADDRESS.address,
        "format": "json",
    }


def test_a_url_is_tried_again_after_the_stack_has_lost_its_webhooks(
    receivers: AwsCallbackReceivers, orchestrators: Orchestrators
) -> None:
    without = replace(receivers, webhooks=WebhookMessages(orchestrators, ""))
    with pytest.raises(CallbackFailed, match="WebhookHosts is empty"):
        without.report(ADDRESS, DONE)


def test_the_longest_outcome_stays_within_the_limits(receivers: AwsCallbackReceivers) -> None:
    receivers.report(TASK, LONGEST)  # the simulated services check their limits
    receivers.report(STEP, LONGEST)


def test_a_repeated_report_to_a_pipeline_counts_once(
    receivers: AwsCallbackReceivers, orchestrators: Orchestrators
) -> None:
    receivers.report(STEP, DONE)
    receivers.report(STEP, DONE)
    with pytest.raises(CallbackClosed, match="ResourceNotFound"):
        receivers.report(STEP, replace(DONE, id="af" * 16))


def test_a_token_that_was_used_is_closed(receivers: AwsCallbackReceivers) -> None:
    receivers.report(TASK, DONE)
    with pytest.raises(CallbackClosed, match="TaskTimedOut"):
        receivers.report(TASK, DONE)
    with pytest.raises(CallbackClosed, match="TaskTimedOut"):
        receivers.send_heartbeat(TASK)


@pytest.mark.parametrize("code", ["AccessDeniedException", "ThrottlingException", "KmsAccessDeniedException"])
def test_other_errors_may_pass(orchestrators: Orchestrators, receivers: AwsCallbackReceivers, code: str) -> None:
    def refuse(*_: Any) -> None:
        raise refused(code)

    orchestrators.pass_on = refuse
    with pytest.raises(CallbackFailed, match=code):
        receivers.report(TASK, DONE)


def test_an_error_hides_the_text_of_the_call(orchestrators: Orchestrators, receivers: AwsCallbackReceivers) -> None:
    def time_out(*_: Any) -> None:
        raise ReadTimeoutError(endpoint_url=TASK.address)

    orchestrators.pass_on = time_out
    with pytest.raises(CallbackFailed) as failed:
        receivers.report(TASK, DONE)
    assert (str(failed.value), failed.value.__cause__, failed.value.__suppress_context__) == (
        "ReadTimeoutError",
        None,
        True,
    )


def test_an_event_that_the_bus_refuses_may_pass(receivers: AwsCallbackReceivers, bus: Bus) -> None:
    bus.refused = True
    with pytest.raises(CallbackFailed, match="EventsRefused"):
        receivers.report(BUS, DONE)


def test_a_dead_letter_is_a_message(orchestrators: Orchestrators) -> None:
    SqsDeadLetters(orchestrators, "https://letters").send({"job": "resnet"})
    assert orchestrators.letters == ['{"job": "resnet"}']
    broken = SimpleNamespace(send_message=lambda **_: (_ for _ in ()).throw(refused("AccessDenied")))
    with pytest.raises(CallbackFailed, match="AccessDenied"):
        SqsDeadLetters(broken, "https://letters").send({"job": "resnet"})
