"""Warm pools: instances that SageMaker keeps for a while after the end of an attempt.

Nobody else may have them meanwhile, so a pool holds its budget until SageMaker says that it is gone (aws-facts 2.55). A
job that fits it may take it over; whether it did is SageMaker's to say, too.
"""

import logging
from collections.abc import Mapping
from datetime import timedelta

from attrs import evolve, frozen

from scheduler.core.history.change import WRITTEN_BY_POOLS
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.learning.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.spending.spent import Spent, SpentKey
from scheduler.core.warm_pools.pool_observation import PoolObservation
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.spending import SpendingRecorder
from scheduler.errors.internal import AttemptUnknown, PoolNotReleased, Refused, UnknownJob
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.ports.training import TrainingService

logger = logging.getLogger(__name__)

#: How long after its Create an attempt may have taken over a pool that still seems to be there: SageMaker finds the
#: match when the job is created, and what Describe says may lag.
POOL_REUSE_GRACE = timedelta(minutes=1)


@frozen
class WarmPools:
    store: JobStore
    training: TrainingService
    clock: Clock
    lease: Lease
    live_jobs: LiveJobs
    spending: SpendingRecorder

    def poll(self, pool: Attempt) -> None:
        """Ask SageMaker, and give the budget free if the pool is gone: ended, or taken over by an attempt of its own.

        Raises PoolNotReleased.
        """
        seen = self.training.pool(pool.name)
        if seen.is_held:
            if pool.lent_to and self._was_not_taken_over(pool):
                self._end_loan(pool)
            raise PoolNotReleased(pool.name)
        learned = Learned(spent=self._record_cost(pool, seen.retained_seconds))
        taker = self._live(seen.reused_by)
        self.store.forget_pool(
            pool, self.lease, taker.attempt if taker else None, self._pool_lent_to_taker(pool, seen), learned
        )
        if taker:
            self.live_jobs.replace(evolve(taker, attempt=evolve(taker.attempt, started_on=pool.name)))
        logger.info("pool gone", extra={"attempt": pool.name, "taken_over_by": seen.reused_by})

    def release(self, pool: Attempt) -> None:
        """Have SageMaker end the pool. It may take a while, and is simply done again if it had no effect."""
        try:
            self.training.release_pool(pool.name)
        except (Refused, AttemptUnknown):
            if self.training.pool(pool.name).is_held:
                raise  # so that is not why

    def _pool_lent_to_taker(self, pool: Attempt, seen: PoolObservation) -> Attempt | None:
        """The pool that was lent to who took over this one: of two that are alike SageMaker takes which it likes."""
        others = (one for one in self.store.pools() if one.name != pool.name)
        return next((one for one in others if seen.reused_by and one.lent_to == seen.reused_by), None)

    def _was_not_taken_over(self, pool: Attempt) -> bool:
        """Whether the attempt that was to take it over went on, or ended, without it."""
        taker = self._live(pool.lent_to)
        if taker is None:
            return True
        # Counted from the job's last change, which its creation was.
        return taker.attempt.created and self.clock.now() - taker.job.updated_at > POOL_REUSE_GRACE

    def _live(self, attempt_name: str) -> LiveJob | None:
        return next((one for one in self.live_jobs.live() if one.attempt.name == attempt_name), None)

    def _end_loan(self, pool: Attempt) -> None:
        """More is held than was planned: so the pool goes at once."""
        self.store.end_pool_loan(pool, self.lease)
        logger.error("pool not taken over", extra={"attempt": pool.name, "by": pool.lent_to})
        self.release(pool)

    def _record_cost(self, pool: Attempt, seconds: int) -> Mapping[SpentKey, Spent]:
        """In the history of its job. Noted before the pool is forgotten: a crash in between notes it once more.

        Gives the counts of what has been spent with it, yet to be kept.
        """
        try:
            job = self.store.get(pool.job_name)
        except UnknownJob:
            return {}
        left = {ended_attempt.name: ended_attempt for ended_attempt in job.history}.get(pool.name)
        if job.is_readable and left is not None and left.retained != seconds:
            with_cost = evolve(left, retained=seconds, retained_reported_in=job.version + 1)
            history = tuple(with_cost if ended_attempt is left else ended_attempt for ended_attempt in job.history)
            self.live_jobs.replace_job(
                self.store.save(evolve(job, history=history), by=WRITTEN_BY_POOLS)
            )  # it may be live again
        return self.spending.after_pool(job, pool, seconds) if job.is_readable else {}
