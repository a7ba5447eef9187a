"""Computes the training lost if an attempt is stopped, and the training that spot interruptions have cost it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import inf

from scheduler.core.jobs.stop_notice import Save


@dataclass(frozen=True, slots=True)
class UnsavedWork:
    seconds: float  # per instance
    at_most: float  # seconds; equal to `seconds` if measured
    is_measured: bool


def unsaved_work(since: datetime, until: datetime, saved: Save | None, interval: int | None) -> UnsavedWork:
    """Returns the part of the training since `since` that a stop at `until` loses.

    `saved` is the latest save that the program has reported; None if it reports nothing. The loss is then estimated
    from `interval`, the seconds between checkpoints as stated by the user; None if unknown or without checkpoints.
    """
    trained = max(0.0, (until - since).total_seconds())
    if saved is None:
        every = interval or inf
        return UnsavedWork(trained % every, min(trained, every), is_measured=False)
    if saved.answers is not None:
        return UnsavedWork(0.0, 0.0, is_measured=True)  # the program waits for its stop
    unsaved = trained if saved.step is None else max(0.0, (until - saved.saved_at).total_seconds())
    return UnsavedWork(min(trained, unsaved), min(trained, unsaved), is_measured=True)


def interrupted_seconds(trained: float, stretches: Sequence[float], interval: float | None) -> float | None:
    """Returns the part of the time since the start of the training that spot interruptions cost an attempt.

    `stretches` are the seconds of training before each interruption, and after the last. The rest of `trained` passed
    without instances. An interruption loses half an `interval` of training on average, or all training before it if
    the interval is infinite. Returns None if the interval is None: the cost of an interruption is then unknown.
    """
    if interval is None:
        return None
    *interrupted, last = stretches or (trained,)
    kept = sum(max(0.0, stretch - interval / 2) for stretch in interrupted)
    return max(0.0, trained - kept - last) if interrupted else 0.0
