"""Selects the live attempts that a cycle asks SageMaker about, since events can get lost."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.work.kind import WorkKind

#: Describe allows 5 calls per second for the whole account (aws-facts 2.1), and users' waiters need some of them.
POLLS_PER_SWEEP = 30
#: If a training attempt's events arrive, it is first polled after nothing has been reported about it for this long …
FIRST_POLL = timedelta(seconds=30)
#: … and then again after each interval. If the event for an end is lost, the end is found after this time plus one
#: sweep.
POLL_INTERVAL = timedelta(minutes=15)
#: A call to List must replace at least this many first polls in one sweep.
_FEWEST_FOR_LIST = 3
#: An attempt that is starting, or has lost its spot instances, usually changes its status within this time. After that,
#: each sweep polls it: once it trains, its GPUs need alarms, and a spot job may have to continue on demand.
LONGEST_START = timedelta(minutes=1)
_MOMENT = timedelta(microseconds=1)
_TRAINING_STATUSES = frozenset({"Training", "Uploading"})
_Item = TypeVar("_Item")


def reported_ended(live: Sequence[LiveJob]) -> tuple[LiveJob, ...]:
    """Selects the attempts whose end an event reported."""
    return tuple(live_job for live_job in live if live_job.attempt.needs_polling)


def due_in_sweep(live: Sequence[LiveJob], swept_until: datetime | None, now: datetime) -> tuple[LiveJob, ...]:
    """Selects the attempts to poll in this sweep. Attempts that were due by `swept_until` have already been polled."""
    created = [live_job for live_job in live if live_job.attempt.created and not live_job.attempt.needs_polling]
    return tuple(
        live_job for live_job in created if _is_due_each_sweep(live_job, now) or _became_due(live_job, swept_until, now)
    )


def for_list_polling(due: Sequence[LiveJob], now: datetime) -> tuple[LiveJob, ...]:
    """Selects the attempts whose first poll a call to List may replace, if there are enough such attempts.

    If the list lags and does not show an end, later polls find it. The list shows no interruptions and no tuning jobs,
    so spot jobs and tuning jobs are left out.
    """
    first_polls = tuple(
        live_job
        for live_job in due
        if not _is_due_each_sweep(live_job, now) and _is_first_poll(live_job, now) and _is_shown_in_list(live_job)
    )
    return first_polls if len(first_polls) >= _FEWEST_FOR_LIST else ()


def select_for_sweep(due: Sequence[LiveJob], now: datetime, seed: int) -> list[LiveJob]:
    """Selects at most POLLS_PER_SWEEP of the attempts that are due.

    Attempts that are due in each sweep are drawn at random, since a fixed order could leave some out forever. The other
    attempts are polled in the order in which they became due.
    """
    sampled = sample(due, POLLS_PER_SWEEP, seed)
    due_each_sweep = [live_job for live_job in sampled if _is_due_each_sweep(live_job, now)]
    others = (live_job for live_job in due if not _is_due_each_sweep(live_job, now))
    oldest_first = sorted(others, key=lambda live_job: _last_due_at(live_job, now))
    return due_each_sweep + oldest_first[: len(sampled) - len(due_each_sweep)]


def swept_through(not_polled: Sequence[LiveJob], now: datetime) -> datetime:
    """Returns the time up to which every due attempt has been polled, if a sweep left out only `not_polled`."""
    left_out = [live_job for live_job in not_polled if not _is_due_each_sweep(live_job, now)]
    return min([now, *(_last_due_at(live_job, now) - _MOMENT for live_job in left_out)])


def sample(items: Sequence[_Item], most: int, seed: int) -> list[_Item]:
    return Random(seed).sample(items, min(most, len(items)))  # noqa: S311 - not for secrets


def _is_due_each_sweep(live: LiveJob, now: datetime) -> bool:
    """Returns whether to poll the attempt in each sweep.

    This applies if no event has reported it, if its status should have changed by now, or if no event will report its
    next change.
    """
    known = live.attempt.observation
    if known is None or not known.by_event or _should_stop(live) or live.job.awaits_selection:
        return True
    return known.secondary_status not in _TRAINING_STATUSES and now - known.modified_at >= LONGEST_START


def _should_stop(live: LiveJob) -> bool:
    """Returns whether SageMaker should be stopping the attempt. During a notice, the attempt still trains."""
    return live.job.status.state is JobState.STOPPING and (live.attempt.stop_sent or live.attempt.notice is None)


def _became_due(live: LiveJob, swept_until: datetime | None, now: datetime) -> bool:
    known = live.attempt.observation
    if known is None or swept_until is None:
        return True
    if known.secondary_status not in _TRAINING_STATUSES:
        return False
    return _times_due(now - known.modified_at) > _times_due(swept_until - known.modified_at)


def _is_first_poll(live: LiveJob, now: datetime) -> bool:
    known = live.attempt.observation
    is_recent = now - live.attempt.reserved_at < POLL_INTERVAL
    return known is not None and now - known.modified_at < POLL_INTERVAL and is_recent


def _is_shown_in_list(live: LiveJob) -> bool:
    """Returns whether the list of training jobs shows what happens to the attempt."""
    return live.job.spec.kind is WorkKind.TRAINING and not live.job.is_on_spot


def _last_due_at(live: LiveJob, now: datetime) -> datetime:
    """Returns the time at which the attempt last became due or, without an observation, was reserved."""
    known = live.attempt.observation
    if known is None:
        return live.attempt.reserved_at
    return known.modified_at + max(FIRST_POLL, (now - known.modified_at) // POLL_INTERVAL * POLL_INTERVAL)


def _times_due(quiet: timedelta) -> int:
    """Returns how many times an attempt becomes due during this long a time without a report."""
    return max(0, quiet // POLL_INTERVAL) + (quiet >= FIRST_POLL)
