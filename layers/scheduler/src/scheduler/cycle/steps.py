"""The steps of one cycle, taken one at a time for as long as it may last."""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import TypeVarTuple

from attrs import frozen

from scheduler.cycle.live_jobs import LiveJobs
from scheduler.errors.internal import (
    BodyUnavailable,
    DocumentUnreadable,
    OutcomeUnknown,
    OverBudget,
    PoolNotReleased,
    StaleJob,
    Throttled,
    TrainingServiceError,
)
from scheduler.ports.clock import Clock

logger = logging.getLogger(__name__)
_Args = TypeVarTuple("_Args")

#: What is tried again by a later pass or cycle.
_POSTPONING = (Throttled, OutcomeUnknown, StaleJob, OverBudget, PoolNotReleased, BodyUnavailable, DocumentUnreadable)


@frozen
class Steps:
    clock: Clock
    deadline: datetime
    live_jobs: LiveJobs

    def is_out_of_time(self) -> bool:
        return self.clock.now() >= self.deadline

    def take(self, step: Callable[[*_Args], object], *args: *_Args) -> bool:
        """Tells whether it was done. What cannot be done now is left to a later pass or cycle, and holds nothing up.

        Raises what no later one would do better, such as LeaseLost.
        """
        if self.is_out_of_time():
            return False
        try:
            step(*args)
        except _POSTPONING as error:
            if isinstance(error, (StaleJob, OverBudget)):
                self.live_jobs.reread()
            logger.info("postponed", extra={"step": step.__name__, "cause": type(error).__name__})
            return False
        except TrainingServiceError as error:
            logger.error("refused", extra={"step": step.__name__, "cause": type(error).__name__})  # noqa: TRY400 - its text may quote the request
            return False
        return True
