"""Runs one scheduling cycle: when the queue's table changed (its stream), and on every sweep."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from schedule.events import changed_jobs
from scheduler.errors.internal import AlarmServiceError, LeaseHeld, Unfinished
from scheduler.wiring import cycle, shared

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

#: Kept back from the function's time for giving back the lease and for the cycle's last call, which may wait 4.4 s for
#: its turn and 13 s for the answer.
MARGIN = timedelta(seconds=20)


def handle(event: dict[str, Any], context: "LambdaContext") -> None:
    logger = shared.logger()
    is_sweep = "Records" not in event
    if is_sweep:  # first, because a cycle may use all the time there is
        cycle.live_job_cache().forget_all()  # whatever was not told is found now
        _watch_gpus()
    time_left = timedelta(milliseconds=context.get_remaining_time_in_millis()) - MARGIN
    try:
        finished = cycle.scheduler().run_cycle(time_left, sweep=is_sweep, changed=changed_jobs(event))
    except LeaseHeld:
        logger.info("another cycle is at work and will run again")
        return
    logger.info("cycle", extra={"finished": finished})  # MissedSweepsAlarm counts these
    if is_sweep and finished:  # one without time left comes again a minute later
        cycle.pulse().take()
    if not finished:
        # An error makes Lambda call again: at once with the stream's records, a minute later for a sweep.
        raise Unfinished


def _watch_gpus() -> None:
    try:
        cycle.idle_gpus().sweep()
    except AlarmServiceError as error:
        # The next sweep tries again; the queue goes on meanwhile.
        shared.logger().error("cannot watch GPUs", extra={"cause": str(error)})
