"""Runs one scheduling cycle: when the stream reports changes of the queue's table, and on every sweep."""

from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from scheduler.adapters.dynamodb.records.job_records import JOB_PREFIX
from scheduler.errors.internal import AlarmServiceError, CycleUnfinished, LeaseHeld
from scheduler.wiring import cycle, shared

#: Reserved from the function's time to release the lease and for the cycle's last call, which may wait 4.4 s for
#: the rate limit and 13 s for the answer.
MARGIN = timedelta(seconds=20)


def handle(event: dict[str, Any], context: LambdaContext) -> None:
    logger = shared.logger()
    is_sweep = "Records" not in event
    if is_sweep:  # first, because a cycle may use all remaining time
        cycle.live_job_cache().forget_all()  # so that the sweep finds changes that no event reported
        try:
            cycle.idle_gpus().sweep()
        except AlarmServiceError as error:
            # The next sweep tries again; jobs start in the meantime.
            logger.error("cannot watch GPUs", extra={"cause": str(error)})  # noqa: TRY400 - its text says it all
    time_left = timedelta(milliseconds=context.get_remaining_time_in_millis()) - MARGIN
    try:
        finished = cycle.scheduler().run_cycle(time_left, sweep=is_sweep, changed=_changed_jobs(event))
    except LeaseHeld:
        logger.info("another cycle is at work and will run again")
        return
    logger.info("cycle", extra={"finished": finished})  # MissedSweepsAlarm counts these
    if is_sweep and finished:  # an unfinished sweep runs again a minute later
        cycle.sweep_report().publish()
    if not finished:
        # After an error Lambda calls again: at once with the stream's records, a minute later for a sweep.
        raise CycleUnfinished


def _changed_jobs(event: dict[str, Any]) -> frozenset[str]:
    """Returns the names of the jobs whose records changed; none for a sweep."""
    keys = (record["dynamodb"]["Keys"]["pk"]["S"] for record in event.get("Records", ()))
    return frozenset(key.removeprefix(JOB_PREFIX) for key in keys if key.startswith(JOB_PREFIX))
