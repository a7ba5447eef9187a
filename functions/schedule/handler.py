"""Runs one scheduling cycle, whenever the stream reports changes in the queue's table and on every sweep."""

from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from scheduler.adapters.dynamodb.records.job_records import JOB_PREFIX
from scheduler.core.reconciliation.lease import is_idle
from scheduler.errors.internal import AlarmServiceError, LeaseHeld
from scheduler.wiring import cycle, shared

#: The time that the function reserves for its last steps: releasing the lease, and the cycle's last call, which may
#: wait 4.4 s for the rate limit and 13 s for the answer.
MARGIN = timedelta(seconds=20)
#: The time that a sweep spends on alarms before it begins its cycle.
TIME_FOR_ALARMS = timedelta(seconds=10)


def handle(event: dict[str, Any], context: LambdaContext) -> None:
    logger = shared.logger()
    is_sweep = "Records" not in event
    if is_sweep and is_idle(cycle.leases().idle_until(), shared.clock().now()):
        return  # a single read: nothing else was built for it
    has_alarms = True  # the assumption until the sweep knows better
    if is_sweep:  # before the cycle, which may use all remaining time
        cycle.live_job_cache().forget_all()  # so that the sweep notices changes that no event reported
        try:
            has_alarms = cycle.idle_gpus().sweep(TIME_FOR_ALARMS)
        except AlarmServiceError as error:
            # The next sweep tries again; meanwhile, jobs still start.
            logger.error("cannot watch GPUs", extra={"cause": str(error)})  # noqa: TRY400 - its text says it all
    finished = _run_cycle(event, context, is_sweep=is_sweep, has_alarms=has_alarms)
    # An unfinished sweep is repeated a minute later. In a busy queue, that one may not finish either.
    if is_sweep and (finished or cycle.sweep_report().is_overdue):
        cycle.sweep_report().publish(shared.clock().now() + _time_left(context))


def _run_cycle(event: dict[str, Any], context: LambdaContext, *, is_sweep: bool, has_alarms: bool) -> bool:
    """Runs a cycle unless another one is running. Returns whether it finished."""
    try:
        finished = cycle.scheduler().run_cycle(
            _time_left(context), sweep=is_sweep, has_alarms=has_alarms, changed=_changed_jobs(event)
        )
    except LeaseHeld:
        shared.logger().info("another cycle is running and will run again")
        return False
    shared.logger().info("cycle", extra={"finished": finished})
    return finished


def _time_left(context: LambdaContext) -> timedelta:
    return timedelta(milliseconds=context.get_remaining_time_in_millis()) - MARGIN


def _changed_jobs(event: dict[str, Any]) -> frozenset[str]:
    """Returns the names of the jobs whose records changed, or no names for a sweep."""
    keys = (record["dynamodb"]["Keys"]["pk"]["S"] for record in event.get("Records", ()))
    return frozenset(key.removeprefix(JOB_PREFIX) for key in keys if key.startswith(JOB_PREFIX))
