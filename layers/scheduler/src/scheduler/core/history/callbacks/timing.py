"""Decides which callbacks a run checks, which get a heartbeat, and when the queue gives up on a delivery."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from scheduler.core.history.callbacks.callback import Callback, CallbackKind, OpenCallback

#: The time between two runs of the function `callbacks` (template.yaml).
RUN_EVERY = timedelta(minutes=1)
#: About how many callbacks have their turn in one run. With up to twice as many, each has a turn every second run.
MOST_IN_TURN = 500
#: The most recently ended jobs, and the most new callbacks, that one run checks.
MOST_RECENT = 500
#: Longer than a few failed runs, and longer than the lag of the index of ended jobs.
RECENT = timedelta(minutes=5)
#: The time after a job's end for which the queue tries to report it.
GIVE_UP_AFTER = timedelta(hours=6)


def in_turn(callbacks: Sequence[Callback], now: datetime) -> list[Callback]:
    """Returns the open callbacks whose turn it is in this run."""
    turns = -(-len(callbacks) // MOST_IN_TURN) or 1
    turn = int(now.timestamp() // RUN_EVERY.total_seconds()) % turns
    return [one for one in callbacks if int(one.key, 16) % turns == turn]


def recent(callbacks: Sequence[Callback], ended: Collection[str], now: datetime) -> list[Callback]:
    """Returns the open callbacks for recently ended jobs, and the recently added callbacks.

    A new callback may belong to a job that had already ended. Callbacks beyond the limits are checked in their turn.
    """
    new = sorted((one for one in callbacks if now - one.added_at < RECENT), key=lambda one: one.added_at)
    return [*(one for one in callbacks if one.job in ended), *new[-MOST_RECENT:]]


def takes_heartbeat(waiting: OpenCallback) -> bool:
    """Returns whether the orchestrator waits for heartbeats. Only Step Functions does."""
    return not waiting.is_due and waiting.callback.kind is CallbackKind.TASK_TOKEN


def is_too_late(due: OpenCallback, now: datetime) -> bool:
    """Returns whether it is too late to report: both the job's end and the addition of its callback are long past."""
    ended_at = due.job.status.updated_at if due.job else due.callback.added_at
    return now - max(ended_at, due.callback.added_at) >= GIVE_UP_AFTER
