"""Which live attempts and warm pools a cycle asks SageMaker about."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.live_job import LiveJob

#: Describe allows 5 calls a second for the whole account (aws-facts 2.1), and users' waiters need some of them.
POLLS_PER_SWEEP = 30
#: Beside those: each pool holds budget that may be needed, and SageMaker tells of none of its changes.
POOLS_PER_SWEEP = 10
#: An attempt that trains and whose events come is asked about when nothing was heard of it for so long …
FIRST_POLL = timedelta(seconds=30)
#: … and then each time that so much more has passed: an end whose event was lost is found that late, and a sweep.
POLL_INTERVAL = timedelta(minutes=15)
#: So many first looks of one sweep are worth a call of List in their place.
_WORTH_A_LIST = 3
#: One that starts, or lost its spot instances, goes on about so soon. Later, each sweep asks: once it trains its GPUs
#: are to be watched, and a spot job may have to go on on demand.
LONGEST_START = timedelta(minutes=1)
_MOMENT = timedelta(microseconds=1)
_TRAINS = frozenset({"Training", "Uploading"})
_One = TypeVar("_One")


def writer_of_observation(observation: Observation) -> str:
    """As whose change an event is written down. Only the end of an attempt gives a cycle something to do.

    `training_events` wakes the scheduler (`ports.WAKING`); what an attempt passes through on its way does not.
    """
    return "training_events" if observation.is_terminal else "observation"


def reported_ended(live: Sequence[LiveJob]) -> tuple[LiveJob, ...]:
    """Attempts that an event called ended."""
    return tuple(one for one in live if one.attempt.needs_polling)


def due_in_sweep(live: Sequence[LiveJob], swept_until: datetime | None, now: datetime) -> tuple[LiveJob, ...]:
    """Attempts whose turn came since the last sweep that asked about all of these; events may be lost."""
    created = [one for one in live if one.attempt.created and not one.attempt.needs_polling]
    return tuple(one for one in created if _is_unsure(one, now) or _had_a_turn(one, swept_until, now))


def for_list_polling(due: Sequence[LiveJob], now: datetime) -> tuple[LiveJob, ...]:
    """Who is asked about early on: SageMaker's list may answer for all of them together.

    It may lag, so it does not answer the later looks: an end that it hides is found by the next of these. Nor does it
    tell how often a spot job was interrupted, by which that may have to go on on demand.
    """
    firsts = tuple(one for one in due if not _is_unsure(one, now) and _is_first(one, now) and not _is_on_spot(one))
    return firsts if len(firsts) >= _WORTH_A_LIST else ()


def select_for_sweep(due: Sequence[LiveJob], now: datetime, seed: int) -> list[LiveJob]:
    """Of too many some: those that had a turn one after the other, the others, which each sweep asks about, by lot.

    A regular turn of these may fall into step with the sweeps and leave an attempt out for ever.
    """
    picked = _drawn(due, POLLS_PER_SWEEP, seed)
    unsure = [one for one in picked if _is_unsure(one, now)]
    in_turn = sorted((one for one in due if not _is_unsure(one, now)), key=lambda one: _turn(one, now))
    return unsure + in_turn[: len(picked) - len(unsure)]


def swept_through(left: Sequence[LiveJob], now: datetime) -> datetime:
    """Until when each attempt has had its turns, if a sweep has asked about all that were due but these."""
    return min([now, *(_turn(one, now) - _MOMENT for one in left if not _is_unsure(one, now))])


def pools_to_poll(pools: Sequence[Attempt], seed: int) -> list[Attempt]:
    return _drawn([pool for pool in pools if pool.is_readable], POOLS_PER_SWEEP, seed)


def _drawn(crowd: Sequence[_One], most: int, seed: int) -> list[_One]:
    return Random(seed).sample(crowd, min(most, len(crowd)))  # noqa: S311 - not for secrets


def _is_unsure(one: LiveJob, now: datetime) -> bool:
    """Each sweep asks: no event told of it, or it should have gone on by now, or no event will tell what it holds."""
    known = one.attempt.observation
    if known is None or not known.by_event or one.job.state is JobState.STOPPING or one.job.awaits_selection:
        return True
    return known.secondary_status not in _TRAINS and now - known.modified_at >= LONGEST_START


def _had_a_turn(one: LiveJob, swept_until: datetime | None, now: datetime) -> bool:
    known = one.attempt.observation
    if known is None or swept_until is None:
        return True
    if known.secondary_status not in _TRAINS:
        return False
    return _turns(now - known.modified_at) > _turns(swept_until - known.modified_at)


def _is_first(one: LiveJob, now: datetime) -> bool:
    known = one.attempt.observation
    return (
        known is not None and now - known.modified_at < POLL_INTERVAL and now - one.attempt.reserved_at < POLL_INTERVAL
    )


def _is_on_spot(one: LiveJob) -> bool:
    return one.job.spot and not one.job.on_demand


def _turn(one: LiveJob, now: datetime) -> datetime:
    """When it last had a turn; whoever never had one comes first."""
    known = one.attempt.observation
    if known is None:
        return one.attempt.reserved_at
    return known.modified_at + max(FIRST_POLL, (now - known.modified_at) // POLL_INTERVAL * POLL_INTERVAL)


def _turns(quiet: timedelta) -> int:
    """How many turns an attempt has had of which nothing was heard for so long."""
    return max(0, quiet // POLL_INTERVAL) + (quiet >= FIRST_POLL)
