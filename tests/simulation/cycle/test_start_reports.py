"""Only a program that has reported its start gets notice, even if the event about the report was lost."""

import json

import pytest

from scheduler.errors.internal import RecordRefused
from simulation.cycle.victim import (
    VICTIM,
    acknowledge,
    is_stopped,
    training_silently,
    write_acknowledgement,
    write_start,
)
from support.account.simulated_queue import SWEEP_SECONDS


def test_a_program_without_the_package_is_stopped_at_once() -> None:
    queue = training_silently()
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)
    assert json.loads(queue.stop_objects.requests[VICTIM]) == {"state": "run"}


def test_a_program_whose_report_got_lost_on_the_way_is_asked_to_save() -> None:
    queue = training_silently()
    write_start(queue)
    queue.submit("urgent", 9)
    queue.cycle()
    assert (json.loads(queue.stop_objects.requests[VICTIM])["state"], is_stopped(queue)) == ("stop", False)
    saved = queue.store.attempts[VICTIM].saved
    assert saved is not None
    assert saved.step is None
    acknowledge(queue)
    queue.cycle()
    assert is_stopped(queue)


def test_a_program_whose_report_cannot_be_read_is_stopped_at_once() -> None:
    queue = training_silently()
    write_start(queue)
    queue.stop_objects.is_down = True
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


@pytest.mark.parametrize(
    "saved_at", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:00", "0001-01-01T00:00:00+00:00"]
)
def test_a_report_with_an_impossible_time_prevents_no_stop(saved_at: str) -> None:
    queue = training_silently()
    write_acknowledgement(queue, {"step": 1, "stop_asked_at": None, "uploaded": None, "saved_at": saved_at})
    queue.submit("urgent", 9)
    queue.cycle()
    assert (is_stopped(queue), queue.store.attempts[VICTIM].saved) == (True, None)


@pytest.mark.parametrize("error", [RecordRefused("Item size has exceeded"), OverflowError("date value out of range")])
def test_a_report_that_the_table_refuses_prevents_no_stop(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = training_silently()
    write_start(queue)

    def refuse(*_: object, **__: object) -> bool:
        raise error

    monkeypatch.setattr(queue.store, "record_save", refuse)
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


def test_a_program_that_never_reported_is_looked_for_once_and_only_before_a_stop() -> None:
    queue = training_silently()
    queue.run(5 * SWEEP_SECONDS)
    assert queue.stop_objects.reads == []
    queue.submit("urgent", 9)
    queue.run(2 * SWEEP_SECONDS)
    assert queue.stop_objects.reads == [VICTIM]
