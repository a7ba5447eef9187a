"""Only an acknowledgement of this notice hastens a stop, and each is read as seldom as possible."""

from typing import Any

import pytest

from scheduler.core.jobs.stop_notice import Save
from simulation.cycle.victim import VICTIM, acknowledge, is_stopped, training
from support.account.simulated_queue import SWEEP_SECONDS


@pytest.mark.parametrize(
    "wrong",
    [
        {"stop_asked_at": None},
        {"stop_asked_at": "2026-01-01T00:00:00+00:00"},
        {"uploaded": False},
        {"attempt": "other-sq-1"},
        {"step": -1},
        {"step": None},
        {"step": "1200"},
        {"saved_at": "2026-01-01T00:00:00"},
        {"saved_at": "2099-01-01T00:00:00+00:00"},
        {"saved_at": "0001-01-01T00:00:00+00:00"},
        {"saved_at": "0001-01-01T00:00:00+23:59"},
        {"stop_asked_at": "9999-12-31T23:59:59-23:00"},
        {"uploaded": "yes"},
    ],
)
def test_an_acknowledgement_of_something_else_stops_nothing(wrong: dict[str, Any]) -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    acknowledge(queue, **wrong)
    queue.cycle()
    assert not is_stopped(queue)


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 4096, b"7", b"null", b"\xff"])
def test_a_broken_acknowledgement_is_none(content: bytes) -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    queue.stop_objects.acknowledgements[VICTIM] = content
    queue.cycle()
    saved = queue.store.attempts[VICTIM].saved
    assert saved is not None
    assert (is_stopped(queue), saved.step) == (False, None)


def test_acknowledgements_are_read_once_in_a_cycle_and_only_under_notice() -> None:
    queue = training()
    queue.run(5 * SWEEP_SECONDS)
    assert queue.stop_objects.reads == []
    queue.submit("urgent", 9)
    queue.cycle()
    given = list(queue.stop_objects.reads)
    queue.cycle()
    assert queue.stop_objects.reads == [*given, VICTIM]


def test_an_answer_that_an_event_has_recorded_is_not_read_again() -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    notice = queue.store.attempts[VICTIM].notice
    assert notice is not None
    reads = len(queue.stop_objects.reads)
    queue.store.record_save(VICTIM, Save(7, queue.clock.now(), notice.asked_at), by="training_events")
    queue.cycle()
    assert (is_stopped(queue), len(queue.stop_objects.reads)) == (True, reads)
