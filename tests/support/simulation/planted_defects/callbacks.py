"""Defects in the delivery of callbacks."""

import pytest

from scheduler.core.history.callbacks.callback import OpenCallback
from scheduler.cycle.callbacks import CallbackDelivery


def close_before_the_report(patches: pytest.MonkeyPatch) -> None:
    report = CallbackDelivery._report

    def closing(self: CallbackDelivery, due: OpenCallback) -> None:
        self.store.close(due.callback)
        report(self, due)

    patches.setattr(CallbackDelivery, "_report", closing)


def report_jobs_that_wait(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(OpenCallback, "is_due", property(lambda one: one.job is None or not one.job.is_live))


def keep_the_first_token_only(patches: pytest.MonkeyPatch) -> None:
    """Gives a repeated call of a state machine no callback."""
    patches.setattr("scheduler.adapters.dynamodb.callbacks.DynamoDBCallbackStore.add", lambda *_: None)
