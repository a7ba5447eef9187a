"""Events are sent to EventBridge in batches, and refused ones are reported."""

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError
from botocore.session import get_session

from scheduler.adapters.aws.eventbridge import FINAL, EventBridge
from scheduler.errors.internal import EventsRefused
from scheduler.ports.notifications import EventKind

DETAILS = [{"job": f"job-{number}"} for number in range(23)]


def _bus(calls: list[int], *refused: str, name: str = "default", gives_up: bool = False) -> EventBridge:
    """Returns a bus that refuses the first entries of each call with these codes."""

    def put_events(Entries: list[Any]) -> Any:  # noqa: N803 - as botocore's client has it
        calls.append(len(Entries))
        accepted = [{"EventId": "1"}] * (len(Entries) - len(refused))
        return {"Entries": [*({"ErrorCode": code} for code in refused), *accepted]}

    return EventBridge(cast(Any, SimpleNamespace(put_events=put_events)), name, gives_up=gives_up)


def _failing_bus(code: str, *, gives_up: bool) -> EventBridge:
    def put_events(**_: Any) -> None:
        raise ClientError({"Error": {"Code": code, "Message": ""}}, "PutEvents")

    return EventBridge(cast(Any, SimpleNamespace(put_events=put_events)), "default", gives_up=gives_up)


def test_no_call_has_more_than_ten() -> None:
    calls: list[int] = []
    _bus(calls).put(EventKind.JOB_CHANGE, DETAILS)
    assert calls == [10, 10, 3]


def test_large_events_share_no_call() -> None:
    """Tags of 48 keys and values, each of the longest length, in letters that JSON escapes."""
    calls: list[int] = []
    large = {"tags": {f"{number}" + "ü" * 120: "ü" * 256 for number in range(48)}}
    _bus(calls).put(EventKind.JOB_CHANGE, [*DETAILS[:2], large, large, large, DETAILS[0]])
    assert calls == [4, 2]


def test_what_is_not_taken_fails_the_batch_so_that_it_comes_again() -> None:
    with pytest.raises(EventsRefused):
        _bus([], "InternalFailure").put(EventKind.JOB_CHANGE, DETAILS)


@pytest.mark.parametrize("code", ["AccessDeniedException", "ResourceNotFoundException", "ValidationException"])
def test_a_final_refusal_fails_the_batch_only_for_a_sender_that_does_not_give_up(
    code: str, caplog: pytest.LogCaptureFixture
) -> None:
    _failing_bus(code, gives_up=True).put(EventKind.JOB_CHANGE, DETAILS)
    assert [(record.message, vars(record)["cause"]) for record in caplog.records] == [("lost events", code)] * 3
    with pytest.raises(ClientError):
        _failing_bus(code, gives_up=False).put(EventKind.JOB_CHANGE, DETAILS)


def test_a_throttled_call_fails_the_batch_for_each_sender() -> None:
    with pytest.raises(ClientError):
        _failing_bus("ThrottlingException", gives_up=True).put(EventKind.JOB_CHANGE, DETAILS)


def test_a_finally_refused_event_is_given_up_and_the_others_are_sent(caplog: pytest.LogCaptureFixture) -> None:
    calls: list[int] = []
    _bus(calls, "MalformedDetail", gives_up=True).put(EventKind.JOB_CHANGE, DETAILS)
    assert (calls, [record.message for record in caplog.records]) == ([10, 10, 3], ["lost events"] * 3)
    with pytest.raises(EventsRefused, match="1 of 10"):
        _bus([], "MalformedDetail", "ThrottlingException", gives_up=True).put(EventKind.JOB_CHANGE, DETAILS)
    with pytest.raises(EventsRefused, match="1 of 10"):
        _bus([], "MalformedDetail").put(EventKind.JOB_CHANGE, DETAILS)


def test_the_non_retryable_errors_of_aws_are_final() -> None:
    entry: Any = get_session().get_service_model("events").shape_for("PutEventsResultEntry")
    documented = entry.members["ErrorCode"].documentation.partition("Non-retryable")[2]
    assert {*re.findall(r"<code>(\w+)</code>", documented)} <= FINAL


def test_nothing_is_sent_without_a_subscriber() -> None:
    calls: list[int] = []
    _bus(calls, name="").put(EventKind.JOB_CHANGE, DETAILS)
    assert calls == []
