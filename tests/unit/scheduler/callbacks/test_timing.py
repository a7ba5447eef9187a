"""Many callbacks take turns, and an end that cannot be reported is given up after hours."""

from datetime import timedelta

import pytest

from scheduler.core.history.callbacks.callback import Callback, CallbackKind, OpenCallback
from scheduler.core.history.callbacks.timing import (
    GIVE_UP_AFTER,
    MOST_IN_TURN,
    RECENT,
    RUN_EVERY,
    in_turn,
    is_too_late,
    recent,
    takes_heartbeat,
)
from scheduler.core.jobs.job_state import JobState
from support.builders.jobs import NOON, a_job


def waiting(
    number: int, kind: CallbackKind = CallbackKind.TASK_TOKEN, state: JobState = JobState.RUNNING
) -> OpenCallback:
    return OpenCallback(Callback(f"job-{number}", kind, f"token-{number}", NOON), a_job(f"job-{number}", state=state))


@pytest.mark.parametrize("count", [1, MOST_IN_TURN, MOST_IN_TURN + 1, 3 * MOST_IN_TURN])
def test_each_callback_has_one_turn_in_each_round(count: int) -> None:
    callbacks = [waiting(number).callback for number in range(count)]
    turns = -(-count // MOST_IN_TURN)
    had = [one for turn in range(turns) for one in in_turn(callbacks, NOON + turn * RUN_EVERY)]
    assert sorted(one.job for one in had) == sorted(one.job for one in callbacks)


def test_only_tasks_whose_jobs_have_not_ended_take_heartbeats() -> None:
    others = [waiting(number, kind) for number, kind in enumerate(CallbackKind) if kind != CallbackKind.TASK_TOKEN]
    ended = waiting(7, state=JobState.COMPLETED)
    parked = waiting(8, state=JobState.PARKED)
    assert [one for one in (*others, ended, parked) if takes_heartbeat(one)] == [parked]


def test_recent_callbacks_are_new_or_of_jobs_that_ended_lately() -> None:
    callbacks = [waiting(number).callback for number in range(3)]
    assert recent(callbacks, {"job-1"}, NOON + RECENT) == [callbacks[1]]
    assert {one.job for one in recent(callbacks, (), NOON)} == {"job-0", "job-1", "job-2"}


def test_the_time_to_give_up_counts_from_the_end_or_from_a_later_callback() -> None:
    due = waiting(1, state=JobState.FAILED)
    assert not is_too_late(due, NOON + GIVE_UP_AFTER - timedelta(seconds=1))
    assert is_too_late(due, NOON + GIVE_UP_AFTER)
    later = OpenCallback(Callback("job-1", CallbackKind.TASK_TOKEN, "token", NOON + RUN_EVERY), due.job)
    assert not is_too_late(later, NOON + GIVE_UP_AFTER)
