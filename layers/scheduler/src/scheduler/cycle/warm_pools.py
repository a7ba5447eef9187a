"""Polls and releases warm pools: instances that SageMaker keeps for a while after the end of an attempt.

No other training job can use them meanwhile, so a pool holds its budget until SageMaker reports its end (aws-facts
2.55). A job that fits the pool may take it over; SageMaker reports whether it did.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from scheduler.core.history.change import WRITTEN_BY_POOLS
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.warm_pools.warm_pool import PoolObservation, WarmPool
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.spending import SpendingRecorder
from scheduler.errors.internal import AttemptUnknown, PoolNotReleased, Refused, UnknownJob

logger = logging.getLogger(__name__)

#: How long after its Create an attempt may have taken over a pool that Describe still shows: SageMaker matches the pool
#: when the job is created, and Describe may lag.
POOL_REUSE_GRACE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class WarmPools:
    services: CycleServices
    lease: Lease
    live_jobs: LiveJobs
    spending: SpendingRecorder

    def poll(self, pool: WarmPool) -> None:
        """Asks SageMaker about the pool and releases its budget if it ended or an attempt took it over.

        Raises PoolNotReleased.
        """
        observation = self.services.training.pool(pool.name)
        if observation.is_held:
            if pool.lent_to and self._was_not_taken_over(pool):
                self._end_loan(pool)
            raise PoolNotReleased(pool.name)
        learned = Learned(spent=self._record_cost(pool, observation.retained_seconds))
        taker = self._live(observation.reused_by)
        self.services.stores.pools.remove_pool(
            pool, self.lease, taker.attempt if taker else None, self._pool_lent_to_taker(pool, observation), learned
        )
        if taker:
            self.live_jobs.replace(replace(taker, attempt=replace(taker.attempt, started_on=pool.name)))
        logger.info("pool gone", extra={"attempt": pool.name, "taken_over_by": observation.reused_by})

    def release(self, pool: WarmPool) -> None:
        """Asks SageMaker to end the pool, which may take a while. Without effect, a later cycle asks again.

        `plan_executor` calls it for each pool that the plan releases because a job needs its instances.
        """
        try:
            self.services.training.release_pool(pool.name)
        except (Refused, AttemptUnknown):
            if self.services.training.pool(pool.name).is_held:
                raise  # the pool is not gone, so the error has another cause

    def _pool_lent_to_taker(self, pool: WarmPool, observation: PoolObservation) -> WarmPool | None:
        """Returns another pool that was lent to the attempt that took over this one.

        SageMaker starts the attempt on any pool that matches, not always on the pool that was lent to it.
        """
        other_pools = (other for other in self.services.stores.pools.pools() if other.name != pool.name)
        return next(
            (other for other in other_pools if observation.reused_by and other.lent_to == observation.reused_by), None
        )

    def _was_not_taken_over(self, pool: WarmPool) -> bool:
        """Returns whether the attempt that the pool is lent to runs, or ended, without it."""
        taker = self._live(pool.lent_to)
        if taker is None:
            return True
        # Counted from the job's last change, which was its creation.
        return taker.attempt.created and self.services.clock.now() - taker.job.status.updated_at > POOL_REUSE_GRACE

    def _live(self, attempt_name: str) -> LiveJob | None:
        return next((live_job for live_job in self.live_jobs.live() if live_job.attempt.name == attempt_name), None)

    def _end_loan(self, pool: WarmPool) -> None:
        """Ends the loan and releases the pool at once: the instances held now exceed the plan."""
        self.services.stores.pools.end_pool_loan(pool, self.lease)
        logger.error("pool not taken over", extra={"attempt": pool.name, "by": pool.lent_to})
        self.release(pool)

    def _record_cost(self, pool: WarmPool, seconds: int) -> Mapping[SpentTimeKey, SpentTime]:
        """Records the pool's billed seconds in its job, and returns the new spending counts, not saved yet.

        The job is written before the pool is removed: a crash in between writes it once more.
        """
        try:
            job = self.services.stores.jobs.get(pool.job_name)
        except UnknownJob:
            return {}
        left = {ended_attempt.name: ended_attempt for ended_attempt in job.status.history}.get(pool.name)
        if job.is_readable and left is not None and left.retained_seconds != seconds:
            with_cost = replace(left, retained_seconds=seconds, retained_reported_in=job.version + 1)
            history = tuple(
                with_cost if ended_attempt is left else ended_attempt for ended_attempt in job.status.history
            )
            self.live_jobs.replace_job(
                self.services.stores.jobs.save(
                    replace(job, status=replace(job.status, history=history)), by=WRITTEN_BY_POOLS
                )
            )  # the job may be live again
        return self.spending.after_pool(job, pool, seconds) if job.is_readable else {}
