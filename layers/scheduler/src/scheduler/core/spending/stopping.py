"""Selects the running jobs to stop once a spending limit is used up: those that have just saved their work."""

from collections.abc import Iterable
from datetime import datetime

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason
from scheduler.core.spending.spending_status import SpendingStatus

#: Seconds after a checkpoint in which a job is stopped: long enough for a sweep to run.
_JUST_SAVED = 300.0


def jobs_to_stop(status: SpendingStatus, live: Iterable[LiveJob], now: datetime) -> list[tuple[LiveJob, Reason]]:
    """Returns the jobs to stop now, each with the reason."""
    if not status.stopping:
        return []
    reasons = ((live_job, status.stop_reason(live_job.job)) for live_job in live if _has_just_saved(live_job, now))
    return [(live_job, reason) for live_job, reason in reasons if reason is not None]


def _has_just_saved(live: LiveJob, now: datetime) -> bool:
    """Returns whether a stop loses little work.

    A job without checkpoints runs to its end. For a job with an unknown checkpoint interval, every moment is the same.
    """
    if live.job.checkpoint_uri is None:
        return False
    has_saved = live.unsaved_work(now) < (now - live.started_at).total_seconds()
    return live.job.checkpoint_interval is None or (has_saved and live.unsaved_work(now) < _JUST_SAVED)
