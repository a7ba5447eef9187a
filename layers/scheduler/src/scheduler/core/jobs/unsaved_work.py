"""Computes the training lost if an attempt is stopped: measured if its program reports saves, otherwise estimated."""

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
