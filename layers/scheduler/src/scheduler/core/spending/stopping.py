"""Who is stopped because nothing more may be spent: whoever may be preempted and has just saved its work."""

from collections.abc import Iterable
from datetime import datetime

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason
from scheduler.core.spending.spending_status import SpendingStatus

#: Seconds after a checkpoint in which a job is stopped: long enough for a sweep to come by.
_JUST_SAVED = 300.0


def out_of_money(used_up: SpendingStatus, live: Iterable[LiveJob], now: datetime) -> list[tuple[LiveJob, Reason]]:
    if not used_up.stopping:
        return []
    found = ((one, used_up.why_it_stops(one.job)) for one in live if _has_just_saved(one, now))
    return [(one, reason) for one, reason in found if reason is not None]


def _has_just_saved(live: LiveJob, now: datetime) -> bool:
    """Without checkpoints it runs to its end; without a known interval any moment is as good as another."""
    if live.job.checkpoint_uri is None:
        return False
    has_saved = live.unsaved_work(now) < (now - live.started_at).total_seconds()
    return live.job.checkpoint_interval is None or (has_saved and live.unsaved_work(now) < _JUST_SAVED)
