"""Simulates Step Functions, SageMaker Pipelines, and the queues for webhooks and dead letters, as far as callbacks use
them.

A token accepts one report. As in AWS, any later call with that token is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

Perform = Callable[[], Any]
#: The queue of webhooks, by its logical name in template.yaml.
WEBHOOK_QUEUE = "WebhookQueue"


@dataclass
class Orchestrators:
    """Replaces three clients. `pass_on` may make a call fail, before or after its effect."""

    pass_on: Callable[[str, str, Perform], Any] = lambda _service, _operation, perform: perform()
    waiting: set[str] = field(default_factory=set)  # tokens whose states still wait
    refused_outputs: frozenset[str] = frozenset()  # names that a pipeline's step may not have
    reports: dict[str, dict[str, Any]] = field(default_factory=dict)  # the one that took effect, by token
    heartbeats: list[str] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    for_webhooks: list[dict[str, Any]] = field(default_factory=list)  # messages …
    deliver: Callable[[dict[str, Any]], object] = lambda _message: None  # … each of which is passed on to this

    def send_task_success(self, **call: Any) -> Any:
        return self.pass_on("stepfunctions", "SendTaskSuccess", lambda: self._end_task(call))

    def send_task_failure(self, **call: Any) -> Any:
        return self.pass_on("stepfunctions", "SendTaskFailure", lambda: self._end_task(call))

    def send_task_heartbeat(self, **call: Any) -> Any:
        def beat() -> None:
            self._require_waiting(call["taskToken"], "TaskTimedOut")
            self.heartbeats.append(call["taskToken"])

        return self.pass_on("stepfunctions", "SendTaskHeartbeat", beat)

    def send_pipeline_execution_step_success(self, **call: Any) -> Any:
        return self.pass_on("sagemaker", "SendPipelineExecutionStepSuccess", lambda: self._end_step(call))

    def send_pipeline_execution_step_failure(self, **call: Any) -> Any:
        return self.pass_on("sagemaker", "SendPipelineExecutionStepFailure", lambda: self._end_step(call))

    def send_message(self, **call: Any) -> Any:
        def send() -> None:
            if call["QueueUrl"] == WEBHOOK_QUEUE:
                self.for_webhooks.append(call)
                self.deliver(call)
            else:
                self.letters.append(call["MessageBody"])

        return self.pass_on("sqs", "SendMessage", send)

    def _end_task(self, call: dict[str, Any]) -> None:
        assert len(call.get("output", "")) <= 262_144
        assert len(call.get("cause", "")) <= 32_768
        self._require_waiting(call["taskToken"], "TaskTimedOut")
        self._end(call["taskToken"], call)

    def _end_step(self, call: dict[str, Any]) -> None:
        token = call["CallbackToken"]
        assert 32 <= len(call["ClientRequestToken"]) <= 128
        names = [output["Name"] for output in call.get("OutputParameters", ())]
        assert len(names) == len(set(names)) <= 50
        assert len(call.get("FailureReason", "")) <= 256
        if self.reports.get(token, {}).get("ClientRequestToken") == call["ClientRequestToken"]:
            return
        if not self.refused_outputs.isdisjoint(names):
            raise refused("ValidationException")
        self._require_waiting(token, "ResourceNotFound")
        self._end(token, call)

    def _end(self, token: str, call: dict[str, Any]) -> None:
        self.waiting.remove(token)
        self.reports[token] = call

    def _require_waiting(self, token: str, code: str) -> None:
        if token not in self.waiting:
            raise refused(code)


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, "operation")
