"""Takes the steps of one cycle, one at a time, until its time is over; postpones steps that fail for now."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVarTuple

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

#: Errors after which a later pass or cycle tries the step again.
_POSTPONING = (Throttled, OutcomeUnknown, StaleJob, OverBudget, PoolNotReleased, BodyUnavailable, DocumentUnreadable)


@dataclass(frozen=True, slots=True)
class Steps:
    clock: Clock
    deadline: datetime
    live_jobs: LiveJobs

    def is_out_of_time(self) -> bool:
        return self.clock.now() >= self.deadline

    def take(self, step: Callable[[*_Args], object], *args: *_Args) -> bool:
        """Takes one step and returns whether it succeeded. A step that fails for now does not hold up the others.

        Raises errors that a later pass or cycle would meet too, such as LeaseLost.
        """
        if self.is_out_of_time():
            return False
        try:
            step(*args)
        except _POSTPONING as error:
            if isinstance(error, (StaleJob, OverBudget)):
                self.live_jobs.invalidate()
            logger.info("postponed", extra={"step": step.__name__, "cause": type(error).__name__})
            return False
        except TrainingServiceError as error:
            logger.error("refused", extra={"step": step.__name__, "cause": type(error).__name__})  # noqa: TRY400 - its text may quote the request
            return False
        return True
