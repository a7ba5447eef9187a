"""The share of the budget that the longest-waiting jobs may claim, whatever their priority.

It is a bounded share and not a promotion: under overload everybody waits long, and promoted jobs would take the
place of urgent ones.
"""

from datetime import datetime, timedelta
from heapq import nsmallest

from scheduler.domain.job import Job
from scheduler.domain.snapshot import LiveJob, Snapshot
from scheduler.policy.room import Room


def elders(snapshot: Snapshot, now: datetime) -> list[Job]:
    """The jobs that may claim the share at this moment, longest waiting first."""
    room = _share(snapshot)
    most = sum(room.values())
    chosen: list[Job] = []
    limit = timedelta(seconds=snapshot.policy.starvation_after)
    holders = [live for live in snapshot.live if live.had_waited >= limit]
    for live in holders:
        room.take(live.attempt.demand)
    since = now - limit
    for job in nsmallest(most, (job for job in snapshot.queued if job.submitted_at <= since), key=_age):
        # A job wider than the share claims it alone, or it would starve for ever.
        if not room.has(job.demand) and (holders or chosen):
            break
        room.take(job.demand)
        chosen.append(job)
    return chosen


def kept_through_the_share(snapshot: Snapshot) -> frozenset[str]:
    """Live jobs that run on the share: nobody preempts them."""
    room = _share(snapshot)
    kept: set[str] = set()
    limit = timedelta(seconds=snapshot.policy.starvation_after)
    for live in sorted((live for live in snapshot.live if live.had_waited >= limit), key=_age_of_live):
        if room and (room.has(live.attempt.demand) or not kept):
            room.take(live.attempt.demand)
            kept.add(live.job.name)
    return frozenset(kept)


def _share(snapshot: Snapshot) -> Room:
    share = snapshot.policy.starvation_share
    counts = {kind: int(count * share) for kind, count in snapshot.budget.limit.counts}
    return Room({kind: count for kind, count in counts.items() if count})


def _age(job: Job) -> tuple[datetime, str]:
    return (job.submitted_at, job.name)


def _age_of_live(live: LiveJob) -> tuple[datetime, str]:
    return _age(live.job)
