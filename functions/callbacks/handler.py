"""Reports the ends of jobs to orchestrators that wait for them, once a minute. It exists only with Callbacks=on."""

from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from scheduler.wiring import callbacks, shared

#: The time that the function reserves for its last call, which may wait 12 s for an answer.
MARGIN = timedelta(seconds=20)


def handle(event: dict[str, Any], context: LambdaContext) -> None:  # noqa: ARG001 - Lambda passes it
    shared.logger()
    callbacks.delivery().run(timedelta(milliseconds=context.get_remaining_time_in_millis()) - MARGIN)
