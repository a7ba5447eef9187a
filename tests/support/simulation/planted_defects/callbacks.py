"""Defects in the delivery of callbacks."""

from contextlib import suppress

import pytest
from botocore.exceptions import BotoCoreError

from scheduler.adapters.aws.callback_receivers import PipelineSteps
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
