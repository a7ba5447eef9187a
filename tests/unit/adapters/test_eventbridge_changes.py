"""Events are sent to EventBridge in batches, and refused ones are reported."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from scheduler.adapters.aws.eventbridge import EventBridge
from scheduler.errors.internal import EventsRefused
from scheduler.ports.notifications import EventKind

DETAILS = [{"job": f"job-{number}"} for number in range(23)]


def _bus(calls: list[int], refused: int = 0, name: str = "default") -> EventBridge:
    def put_events(Entries: list[Any]) -> dict[str, int]:  # noqa: N803 - as botocore's client has it
        calls.append(len(Entries))
        return {"FailedEntryCount": refused}

    return EventBridge(cast(Any, SimpleNamespace(put_events=put_events)), name)


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
        _bus([], refused=1).put(EventKind.JOB_CHANGE, DETAILS)


def test_nothing_is_sent_without_a_subscriber() -> None:
    calls: list[int] = []
    _bus(calls, name="").put(EventKind.JOB_CHANGE, DETAILS)
    assert calls == []
