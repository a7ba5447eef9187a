"""The training that the stop of an attempt loses: measured if its program reports saves, otherwise estimated."""

from dataclasses import dataclass
from datetime import datetime
from math import inf

from scheduler.core.jobs.stop_notice import Save


@dataclass(frozen=True, slots=True)
class UnsavedWork:
    seconds: float  # for each instance
    at_most: float  # the same if it is measured
    is_measured: bool


def unsaved_work(since: datetime, until: datetime, saved: Save | None, interval: int | None) -> UnsavedWork:
    """Returns what a stop at `until` loses of the training since `since`.

    `saved` is what the program has reported; None if it reports nothing. Then only the interval between two checkpoints
    that the user stated is known; None if it is not, or if the script writes none.
    """
    trained = max(0.0, (until - since).total_seconds())
    if saved is None:
        every = interval or inf
        return UnsavedWork(trained % every, min(trained, every), is_measured=False)
    if saved.answers is not None:
        return UnsavedWork(0.0, 0.0, is_measured=True)  # the program waits for its stop
    unsaved = trained if saved.step is None else max(0.0, (until - saved.saved_at).total_seconds())
    return UnsavedWork(min(trained, unsaved), min(trained, unsaved), is_measured=True)
