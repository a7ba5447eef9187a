"""Limits the steps of one cycle to its time, and isolates their errors: one job's error does not stop the others."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from scheduler.cycle.live_jobs import LiveJobs
from scheduler.errors.internal import (
    BodyUnavailable,
    CycleUnfinished,
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
_Item = TypeVar("_Item")

#: Errors after which a later pass or cycle tries the step again.
_POSTPONING = (Throttled, OutcomeUnknown, StaleJob, OverBudget, PoolNotReleased, BodyUnavailable, DocumentUnreadable)


@dataclass(frozen=True, slots=True)
class Steps:
    clock: Clock
    deadline: datetime
    live_jobs: LiveJobs

    def is_out_of_time(self) -> bool:
        return self.clock.now() >= self.deadline

    def in_time(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Yields the items while there is time. The next cycle does the rest."""
        for item in items:
            if self.is_out_of_time():
                return
            yield item

    def require_time(self) -> None:
        """Raises CycleUnfinished after the deadline: a call then may meet another cycle's."""
        if self.is_out_of_time():
            raise CycleUnfinished

    @contextmanager
    def isolate(self, step: str) -> Iterator[None]:
        """Ends the block at an error of one job, and logs it. Raises errors that all jobs would meet, as LeaseLost."""
        try:
            yield
        except (*_POSTPONING, CycleUnfinished) as error:
            if isinstance(error, (StaleJob, OverBudget)):
                self.live_jobs.invalidate()
            logger.info("postponed", extra={"step": step, "cause": type(error).__name__})
        except TrainingServiceError as error:
            logger.error("refused", extra={"step": step, "cause": type(error).__name__})  # noqa: TRY400 - its text may quote the request
