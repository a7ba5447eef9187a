"""Decides which attempts get notice before they are stopped."""

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job_state import Stop, StopCause
from scheduler.core.jobs.live_job import LiveJob

#: Other stops need no save: a user wants another attempt at once, or an attempt without instances leaves spot.
_WITH_NOTICE = frozenset(
    {StopCause.PREEMPTION, StopCause.IDLE, StopCause.UNDERUSED, StopCause.HANG, StopCause.HANG_RETRY, StopCause.GROWTH}
)


def gets_notice(live_job: LiveJob) -> bool:
    """Returns whether to ask the program to save before the stop: it has time, and it has reported that it listens."""
    return has_time_to_save(live_job) and live_job.attempt.listens


def has_time_to_save(live_job: LiveJob) -> bool:
    """Returns whether the attempt has time to save before its stop, if its program listens."""
    stop, attempt = live_job.job.status.stop, live_job.attempt
    return stop is not None and attempt.takes_notice and _lets_save(stop) and _runs(attempt)


def _lets_save(stop: Stop) -> bool:
    return stop.cause in _WITH_NOTICE or stop.save_first


def _runs(attempt: Attempt) -> bool:
    seen = attempt.observation
    return seen is not None and not seen.is_terminal and attempt.without_instances_since(seen) is None
