"""Heartbeats of many callbacks take turns, and an end that cannot be reported is given up after hours."""

from datetime import timedelta

import pytest

from scheduler.core.history.callbacks.callback import Callback, CallbackKind, OpenCallback
from scheduler.core.history.callbacks.timing import (
    GIVE_UP_AFTER,
    MOST_HEARTBEATS,
    RUN_EVERY,
    due_heartbeats,
    is_too_late,
)
from scheduler.core.jobs.job_state import JobState
from support.builders.jobs import NOON, a_job


def waiting(
    number: int, kind: CallbackKind = CallbackKind.TASK_TOKEN, state: JobState = JobState.RUNNING
) -> OpenCallback:
    return OpenCallback(Callback(f"job-{number}", kind, f"token-{number}", NOON), a_job(f"job-{number}", state=state))


@pytest.mark.parametrize("count", [1, MOST_HEARTBEATS, MOST_HEARTBEATS + 1, 3 * MOST_HEARTBEATS])
def test_each_task_gets_one_heartbeat_in_each_round(count: int) -> None:
    callbacks = [waiting(number) for number in range(count)]
    turns = -(-count // MOST_HEARTBEATS)
    beats = [one for turn in range(turns) for one in due_heartbeats(callbacks, NOON + turn * RUN_EVERY)]
    assert sorted(one.callback.job for one in beats) == sorted(one.callback.job for one in callbacks)


def test_only_tasks_whose_jobs_have_not_ended_get_heartbeats() -> None:
    others = [waiting(number, kind) for number, kind in enumerate(CallbackKind) if kind != CallbackKind.TASK_TOKEN]
    ended = waiting(7, state=JobState.COMPLETED)
    parked = waiting(8, state=JobState.PARKED)
    assert due_heartbeats([*others, ended, parked], NOON) == [parked]


def test_the_time_to_give_up_counts_from_the_end_or_from_a_later_callback() -> None:
    due = waiting(1, state=JobState.FAILED)
    assert not is_too_late(due, NOON + GIVE_UP_AFTER - timedelta(seconds=1))
    assert is_too_late(due, NOON + GIVE_UP_AFTER)
    later = OpenCallback(Callback("job-1", CallbackKind.TASK_TOKEN, "token", NOON + RUN_EVERY), due.job)
    assert not is_too_late(later, NOON + GIVE_UP_AFTER)
