"""Each property of callbacks fails with a planted defect."""

from collections.abc import Mapping
from contextlib import suppress
from uuid import uuid4

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from property import (
    test_callbacks,
)
from scheduler.adapters.aws.callback_receivers import WebhookMessages
from scheduler.core.history.callbacks import outcome, timing
from scheduler.core.history.callbacks.callback import OpenCallback
from scheduler.cycle import callbacks
from scheduler.cycle.callbacks import CallbackDelivery
from scheduler.errors.internal import CallbackClosed, CallbackFailed
from support.planted_defects import Planted, expect_failure

_report = CallbackDelivery._report
_send = WebhookMessages.report


def close_before_the_report(delivery: CallbackDelivery, due: OpenCallback) -> None:
    delivery.store.close(due.callback)
    _report(delivery, due)


def repeat_used_tokens(delivery: CallbackDelivery, due: OpenCallback) -> None:
    with suppress(CallbackClosed, CallbackFailed):
        delivery.receivers.report(due.callback, outcome.outcome_of(due))
        delivery.store.close(due.callback)


def forget_what_fails(delivery: CallbackDelivery, due: OpenCallback) -> None:
    with suppress(CallbackClosed, CallbackFailed):
        delivery.receivers.report(due.callback, outcome.outcome_of(due))
    delivery.store.close(due.callback)


def forget_lost_messages(webhooks: WebhookMessages, url: str, content: Mapping[str, object]) -> None:
    with suppress(BotoCoreError, ClientError):
        _send(webhooks, url, content)


def report_while_it_waits(one: OpenCallback) -> bool:
    return one.job is None or not one.job.is_live


def without_the_id_of_the_end(*_: object) -> str:
    return uuid4().hex


PLANTED: dict[str, Planted] = {
    "a callback is closed before it is reported": (
        test_callbacks.test_every_orchestrator_learns_of_the_end_once_the_faults_are_over,
        (CallbackDelivery, "_report", close_before_the_report),
    ),
    "a used token is tried again for ever": (
        test_callbacks.test_every_orchestrator_learns_of_the_end_once_the_faults_are_over,
        (CallbackDelivery, "_report", repeat_used_tokens),
    ),
    "a message for a webhook is forgotten after an error": (
        test_callbacks.test_every_orchestrator_learns_of_the_end_once_the_faults_are_over,
        (WebhookMessages, "report", forget_lost_messages),
    ),
    "a failed report is forgotten": (
        test_callbacks.test_an_end_is_given_up_only_after_hours_and_never_without_a_dead_letter,
        (CallbackDelivery, "_report", forget_what_fails),
    ),
    "a waiting job is reported as ended": (
        test_callbacks.test_nobody_is_told_of_an_end_that_did_not_happen,
        (OpenCallback, "is_due", property(report_while_it_waits)),
    ),
    "each report of an end has another id": (
        test_callbacks.test_a_repeated_report_has_the_id_of_the_first,
        (outcome, "_id", without_the_id_of_the_end),
    ),
    "the log shows tokens": (
        test_callbacks.test_no_token_reaches_the_log_or_a_dead_letter,
        (callbacks, "_shown", lambda callback: {"job": callback.job, "callback": callback.address}),
    ),
    "only half of the states get a heartbeat": (
        test_callbacks.test_waiting_states_get_a_heartbeat_in_every_run,
        (timing, "MOST_IN_TURN", 1),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_failure(PLANTED[name], monkeypatch)
