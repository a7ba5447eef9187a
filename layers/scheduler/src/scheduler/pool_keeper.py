"""Warm pools: instances that SageMaker keeps for a while after the end of an attempt, because its user asked for it.

Nobody else may have them meanwhile, so a pool holds its budget until SageMaker says that it is gone (aws-facts 2.55).
"""

import logging
from dataclasses import dataclass

from scheduler.domain.attempt import Attempt
from scheduler.domain.demand import NOTHING
from scheduler.domain.lease import Lease
from scheduler.errors import AttemptUnknown, PoolStays, Refused
from scheduler.ports import JobStore, TrainingService

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PoolKeeper:
    store: JobStore
    training: TrainingService
    lease: Lease

    def look(self, pool: Attempt) -> None:
        """Ask SageMaker, and give the budget free if the pool is gone: ended, or taken over by an attempt of its own.

        Raises PoolStays.
        """
        if self.training.held_by(pool.name) != NOTHING:
            raise PoolStays(pool.name)
        self.store.forget_pool(pool, self.lease)
        logger.info("pool gone", extra={"attempt": pool.name})

    def release(self, pool: Attempt) -> None:
        """Have SageMaker end the pool. It may take a while, and is simply done again if it had no effect."""
        try:
            self.training.release_pool(pool.name)
        except (Refused, AttemptUnknown):
            if self.training.held_by(pool.name) != NOTHING:
                raise  # so that is not why
