"""Reports outcomes to Step Functions, SageMaker Pipelines, EventBridge and webhooks, and sends heartbeats."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.adapters.aws.eventbridge import EventBridge
from scheduler.adapters.aws.notices.sns_notices import WEBHOOK, WEBHOOK_FORMAT
from scheduler.core.history.callbacks.callback import Callback, CallbackKind
from scheduler.core.history.callbacks.outcome import Outcome
from scheduler.core.history.webhooks.webhook import WebhookFormat
from scheduler.errors.internal import CallbackClosed, CallbackFailed, EventsRefused
from scheduler.ports.notifications import EventKind

_INVALID = "ValidationException"
#: Error codes after which no repeat can succeed: the token is unknown, used or expired.
_CLOSED = frozenset({"TaskTimedOut", "TaskDoesNotExist", "InvalidToken", "ResourceNotFound", _INVALID})
#: The prefix of the error names that state machines can catch, such as SageQueue.Failed.
_ERRORS = "SageQueue."
#: Limits in SageMaker Pipelines.
_MOST_OUTPUTS = 50
_LONGEST_REASON = 256
_LONGEST_OUTPUT = 1024


@dataclass(frozen=True, slots=True)
class StepFunctionsTasks:
    client: Any

    def report(self, token: str, outcome: Outcome) -> None:
        # Without escapes, even the longest texts stay below the limit on a cause: 32,768 characters.
        text = json.dumps(outcome.as_dict(), ensure_ascii=False)
        if outcome.is_success:
            self.client.send_task_success(taskToken=token, output=text)
        else:
            self.client.send_task_failure(taskToken=token, error=_ERRORS + outcome.state.capitalize(), cause=text)

    def send_heartbeat(self, token: str) -> None:
        self.client.send_task_heartbeat(taskToken=token)


@dataclass(frozen=True, slots=True)
class PipelineSteps:
    client: Any

    def report(self, token: str, outcome: Outcome) -> None:
        # With the same ID, SageMaker treats a repeated report as the first one.
        common = {"CallbackToken": token, "ClientRequestToken": outcome.id}
        if outcome.is_success:
            self._report_success(common, outcome)
        else:
            reason = f"The job {outcome.job} {outcome.state}: {outcome.failure_reason or outcome.message}"
            self.client.send_pipeline_execution_step_failure(**common, FailureReason=reason[:_LONGEST_REASON])

    def _report_success(self, common: Mapping[str, str], outcome: Outcome) -> None:
        outputs = [{"Name": name, "Value": value} for name, value in _outputs(outcome).items()][:_MOST_OUTPUTS]
        try:
            self.client.send_pipeline_execution_step_success(**common, OutputParameters=outputs)
        except ClientError as error:
            if error.response["Error"]["Code"] != _INVALID or not outcome.metrics:
                raise
            # Either nobody waits any more, or SageMaker refuses a metric's name, for which AWS documents no rule.
            self._report_success(common, replace(outcome, metrics=()))


@dataclass(frozen=True, slots=True)
class WebhookMessages:
    """Passes reports to the function `webhooks`, which signs, sends and repeats them like notices."""

    client: Any
    queue: str  # the URL of the SQS queue; empty if the stack has no webhooks

    def report(self, url: str, content: Mapping[str, object]) -> None:
        if not self.queue:
            raise CallbackFailed("the stack's parameter WebhookHosts is empty")
        texts = {WEBHOOK: url, WEBHOOK_FORMAT: WebhookFormat.JSON.value}
        attributes = {name: {"DataType": "String", "StringValue": text} for name, text in texts.items()}
        body = json.dumps(content)
        self.client.send_message(QueueUrl=self.queue, MessageBody=body, MessageAttributes=attributes)


@dataclass(frozen=True, slots=True)
class AwsCallbackReceivers:
    """Implements the port `CallbackReceivers`."""

    tasks: StepFunctionsTasks
    steps: PipelineSteps
    bus: Callable[[str], EventBridge]  # by name
    webhooks: WebhookMessages
    queue: str  # the queue's mark, for events and webhooks

    def report(self, callback: Callback, outcome: Outcome) -> None:
        with _translated_errors():
            match callback.kind:
                case CallbackKind.TASK_TOKEN:
                    self.tasks.report(callback.address, outcome)
                case CallbackKind.PIPELINE_TOKEN:
                    self.steps.report(callback.address, outcome)
                case CallbackKind.EVENT_BUS:
                    self.bus(callback.address).put(EventKind.JOB_END, [self._content(outcome)])
                case CallbackKind.URL:
                    self.webhooks.report(callback.address, self._content(outcome))

    def send_heartbeat(self, callback: Callback) -> None:
        with _translated_errors():
            self.tasks.send_heartbeat(callback.address)

    def _content(self, outcome: Outcome) -> Mapping[str, object]:
        """Returns the outcome for receivers that may serve many queues."""
        return {"queue": self.queue, **outcome.as_dict()}


@dataclass(frozen=True, slots=True)
class SqsDeadLetters:
    client: Any
    url: str

    def send(self, letter: Mapping[str, str]) -> None:
        with _translated_errors():
            self.client.send_message(QueueUrl=self.url, MessageBody=json.dumps(letter))


def _outputs(outcome: Outcome) -> dict[str, str]:
    """Returns the outputs of a pipeline's step, the queue's own first. Metrics cannot replace these."""
    own = {
        "job": outcome.job,
        "training_job": outcome.training_job,
        "model_artifacts": outcome.model_artifacts[:_LONGEST_OUTPUT],
    }
    return own | {name: str(value) for name, value in outcome.metrics if name not in own}


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Raises errors that contain only a code and no cause: botocore's text may quote the token."""
    try:
        yield
    except ClientError as error:
        code = error.response["Error"]["Code"]
        raise (CallbackClosed if code in _CLOSED else CallbackFailed)(code) from None
    except (BotoCoreError, EventsRefused) as error:
        raise CallbackFailed(type(error).__name__) from None
