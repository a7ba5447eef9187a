"""Defects in the delivery of callbacks."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from scheduler.adapters.aws.callback_receivers import PipelineSteps, WebhookMessages
from scheduler.adapters.aws.eventbridge import EventBridge
from scheduler.adapters.https.parallel import failed_of
from scheduler.core.history.callbacks import outcome as outcomes
from scheduler.core.history.callbacks.callback import OpenCallback
from scheduler.core.history.callbacks.outcome import Outcome
from scheduler.cycle.callbacks import CallbackDelivery


def close_before_the_report(patches: pytest.MonkeyPatch) -> None:
    report = CallbackDelivery._report

    def closing(self: CallbackDelivery, due: OpenCallback) -> None:
        self.store.close(due.callback)
        report(self, due)

    patches.setattr(CallbackDelivery, "_report", closing)


def report_jobs_that_wait(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(OpenCallback, "is_due", property(lambda one: one.job is None or not one.job.is_live))


def take_an_unanswered_report_for_delivered(patches: pytest.MonkeyPatch) -> None:
    """Closes the callback of a pipeline's step although the call that reports the end got no answer."""
    report = PipelineSteps.report

    def sending_once(self: PipelineSteps, token: str, outcome: Outcome) -> None:
        with suppress(BotoCoreError):
            report(self, token, outcome)

    patches.setattr(PipelineSteps, "report", sending_once)


def keep_the_first_token_only(patches: pytest.MonkeyPatch) -> None:
    """Adds no callback if a state machine repeats its call."""
    patches.setattr("scheduler.adapters.dynamodb.callbacks.DynamoDBCallbackStore.add", lambda *_: None)


def forget_failed_events(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(EventBridge, "put", _without_errors(EventBridge.put))


def forget_failed_messages(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(WebhookMessages, "report", _without_errors(WebhookMessages.report))


def repeat_no_webhook(patches: pytest.MonkeyPatch) -> None:
    """Reports no failed message to SQS, whatever the endpoints answered."""
    patches.setattr("webhooks.handler.failed_of", lambda calls, seconds: failed_of(calls, seconds) and [])


def give_each_report_its_own_id(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(outcomes, "_id", lambda *_: uuid4().hex)


def _without_errors(send: Callable[..., None]) -> Callable[..., None]:
    def sending_once(*arguments: Any) -> None:
        with suppress(BotoCoreError, ClientError):
            send(*arguments)

    return sending_once
