"""Decides when a callback gets a heartbeat, and when the queue gives up its delivery."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from scheduler.core.history.callbacks.callback import CallbackKind, OpenCallback

#: The time between two runs of the function `callbacks` (template.yaml).
RUN_EVERY = timedelta(minutes=1)
#: The most heartbeats of one run. If more callbacks are open, each gets one in every second run, and so on.
MOST_HEARTBEATS = 500
#: The time after a job's end for which the queue tries to report it.
GIVE_UP_AFTER = timedelta(hours=6)


def due_heartbeats(open_callbacks: Sequence[OpenCallback], now: datetime) -> list[OpenCallback]:
    """Returns the callbacks that get a heartbeat in this run. Only Step Functions takes heartbeats."""
    waiting = [one for one in open_callbacks if not one.is_due and one.callback.kind is CallbackKind.TASK_TOKEN]
    turns = -(-len(waiting) // MOST_HEARTBEATS) or 1
    turn = int(now.timestamp() // RUN_EVERY.total_seconds()) % turns
    return [one for one in waiting if int(one.callback.key, 16) % turns == turn]


def is_too_late(due: OpenCallback, now: datetime) -> bool:
    """Returns whether the job, or the callback if it was added after the end, is too old to be reported."""
    ended_at = due.job.status.updated_at if due.job else due.callback.added_at
    return now - max(ended_at, due.callback.added_at) >= GIVE_UP_AFTER
