"""Which live attempts and warm pools a cycle asks SageMaker about."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random

from scheduler.domain.attempt import Attempt, Sighting
from scheduler.domain.job import JobState
from scheduler.domain.snapshot import LiveJob

#: Describe allows 5 calls a second for the whole account (aws-facts 2.1), and users' waiters need some of them.
LOOKS_PER_SWEEP = 30
#: Beside those: each pool holds budget that may be needed, and SageMaker tells of none of its changes.
POOLS_PER_SWEEP = 10
#: An attempt that trains and whose events come is asked about when nothing was heard of it for so long …
FIRST_LOOK = timedelta(seconds=30)
#: … and then each time that so much more has passed: an end whose event was lost is found that late, and a sweep.
LOOKS_EVERY = timedelta(minutes=15)
#: One that starts, or lost its spot instances, goes on about so soon. Later, each sweep asks: once it trains its GPUs
#: are to be watched, and a spot job may have to go on on demand.
LONGEST_START = timedelta(minutes=1)
_TRAINS = frozenset({"Training", "Uploading"})


def writer_of(sighting: Sighting) -> str:
    """As whose change an event is written down. Only the end of an attempt gives a cycle something to do.

    `training_events` wakes the scheduler (`ports.WAKING`); what an attempt passes through on its way does not.
    """
    return "training_events" if sighting.is_terminal else "sighting"


def announced(live: Sequence[LiveJob]) -> tuple[LiveJob, ...]:
    """Attempts that an event called ended."""
    return tuple(one for one in live if one.attempt.needs_look)


def due_in_sweep(
    live: Sequence[LiveJob], swept_until: datetime | None, now: datetime, seed: int
) -> tuple[LiveJob, ...]:
    """Attempts whose turn came since the last sweep; events may be lost. Of too many some are drawn by lot.

    A lot, because any regular turn may fall into step with the sweeps and leave an attempt out for ever.
    """
    created = [one for one in live if one.attempt.created and not one.attempt.needs_look]
    due = [one for one in created if _is_unsure(one, now) or _had_a_turn(one, swept_until, now)]
    return tuple(Random(seed).sample(due, min(LOOKS_PER_SWEEP, len(due))))  # noqa: S311 - not for secrets


def pools_due_for_a_look(pools: Sequence[Attempt], seed: int) -> tuple[Attempt, ...]:
    readable = [pool for pool in pools if pool.is_readable]
    return tuple(Random(seed).sample(readable, min(POOLS_PER_SWEEP, len(readable))))  # noqa: S311 - not for secrets


def _is_unsure(one: LiveJob, now: datetime) -> bool:
    """Each sweep asks: no event told of it, or it should have gone on by now."""
    known = one.attempt.sighting
    if known is None or not known.by_event or one.job.state is JobState.STOPPING:
        return True
    return known.secondary_status not in _TRAINS and now - known.modified_at >= LONGEST_START


def _had_a_turn(one: LiveJob, swept_until: datetime | None, now: datetime) -> bool:
    known = one.attempt.sighting
    if known is None or swept_until is None:
        return True
    if known.secondary_status not in _TRAINS:
        return False
    return _turns(now - known.modified_at) > _turns(swept_until - known.modified_at)


def _turns(quiet: timedelta) -> int:
    """How many turns an attempt has had of which nothing was heard for so long."""
    return max(0, quiet // LOOKS_EVERY) + (quiet >= FIRST_LOOK)
