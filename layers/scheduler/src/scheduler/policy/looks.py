"""Which live attempts and warm pools a cycle asks SageMaker about."""

from collections.abc import Sequence
from random import Random

from scheduler.domain.attempt import Attempt, Sighting
from scheduler.domain.snapshot import LiveJob

#: Describe allows 5 calls a second for the whole account (aws-facts 2.1), and users' waiters need some of them.
LOOKS_PER_SWEEP = 30
#: Beside those: each pool holds budget that may be needed, and SageMaker tells of none of its changes.
POOLS_PER_SWEEP = 10


def writer_of(sighting: Sighting) -> str:
    """As whose change an event is written down. Only the end of an attempt gives a cycle something to do.

    `training_events` wakes the scheduler (`ports.WAKING`); what an attempt passes through on its way does not.
    """
    return "training_events" if sighting.is_terminal else "sighting"


def due_for_a_look(live: Sequence[LiveJob], seed: int, *, sweep: bool) -> tuple[LiveJob, ...]:
    """Attempts that an event called ended; in a sweep also some of the others, drawn by lot: events may be lost.

    A lot, because any regular turn may fall into step with the sweeps and leave an attempt out for ever.
    """
    announced = tuple(one for one in live if one.attempt.needs_look)
    if not sweep:
        return announced
    others = [one for one in live if one.attempt.created and not one.attempt.needs_look]
    drawn = Random(seed).sample(others, min(LOOKS_PER_SWEEP, len(others)))  # noqa: S311 - not for secrets
    return announced + tuple(drawn)


def pools_due_for_a_look(pools: Sequence[Attempt], seed: int) -> tuple[Attempt, ...]:
    readable = [pool for pool in pools if pool.is_readable]
    return tuple(Random(seed).sample(readable, min(POOLS_PER_SWEEP, len(readable))))  # noqa: S311 - not for secrets
