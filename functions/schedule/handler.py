"""Runs one scheduling cycle: when the queue's table changed (its stream), and on every sweep."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from scheduler import wiring
from scheduler.errors import LeaseHeld, Unfinished

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

#: Kept back from the function's time for giving back the lease and for the cycle's last call, which may wait 4.4 s for
#: its turn and 13 s for the answer.
MARGIN = timedelta(seconds=20)


def handle(event: dict[str, Any], context: "LambdaContext") -> None:
    logger = wiring.logger()
    time_left = timedelta(milliseconds=context.get_remaining_time_in_millis()) - MARGIN
    try:
        finished = wiring.scheduler().run_cycle(time_left, sweep="Records" not in event)
    except LeaseHeld:
        logger.info("another cycle is at work and will run again")
        return
    if not finished:
        # An error makes Lambda call again: at once with the stream's records, a minute later for a sweep.
        raise Unfinished
