"""Which live attempts a cycle asks SageMaker about."""

from collections.abc import Sequence
from datetime import datetime

from scheduler.domain.snapshot import LiveJob

#: Describe allows 5 calls a second for the whole account (aws-facts 2.1), and users' waiters need some of them.
LOOKS_PER_SWEEP = 30


def due_for_a_look(live: Sequence[LiveJob], now: datetime, *, sweep: bool) -> tuple[LiveJob, ...]:
    """Attempts that an event called ended; in a sweep also a share of the others, in turn: events may be lost."""
    announced = tuple(one for one in live if one.attempt.needs_look)
    if not sweep:
        return announced
    others = [one for one in live if one.attempt.created and not one.attempt.needs_look]
    turns = max(1, -(-len(others) // LOOKS_PER_SWEEP))
    turn = int(now.timestamp() // 60) % turns
    return announced + tuple(others[turn * LOOKS_PER_SWEEP : (turn + 1) * LOOKS_PER_SWEEP])
