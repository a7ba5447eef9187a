"""Works out, as documented, whether a running attempt is still protected from preemption."""

from datetime import datetime, timedelta

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.policy import Policy


def has_ended_protection(live: LiveJob, policy: Policy, now: datetime) -> bool:
    """Returns whether the attempt has run for long, or a stop now loses at most a tenth of it."""
    run_time = now - live.started_at
    lost = _unsaved(live, run_time, now) + timedelta(seconds=policy.restart_time)
    protected = timedelta(seconds=policy.of(live.job).protected_run_time)
    return run_time >= protected or 10 * lost <= run_time


def _unsaved(live: LiveJob, run_time: timedelta, now: datetime) -> timedelta:
    saved, interval = live.attempt.saved, live.job.checkpoint_interval
    if not live.is_known_to_train:
        return timedelta()
    if saved is None and interval:
        return run_time % timedelta(seconds=interval)
    return run_time if saved is None or saved.step is None else now - saved.saved_at
