"""Polls and releases warm pools: instances that SageMaker keeps for a while after the end of an attempt.

No other training job can use them meanwhile, so a pool holds its budget until SageMaker reports its end (aws-facts
2.55). A job that fits the pool may take it over; SageMaker reports whether it did.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from scheduler.core.history.change import WRITTEN_BY_POOLS
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.polling import sample
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.warm_pools.warm_pool import POOLS_PER_SWEEP, PoolObservation, WarmPool
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
            if pool.lent_to and self._should_be_taken_over(pool):
                self._correct_loan(pool)
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

    def _should_be_taken_over(self, pool: WarmPool) -> bool:
        """Returns whether the attempt that the pool is lent to has ended, or runs long enough."""
        taker = self._live(pool.lent_to)
        if taker is None:
            return True
        # Counted from the job's last change, which was its creation.
        return taker.attempt.created and self.services.clock.now() - taker.job.status.updated_at > POOL_REUSE_GRACE

    def _correct_loan(self, pool: WarmPool) -> None:
        """Ends the loan, unless its taker took over another pool, whose attempt still counts as running.

        That attempt holds budget for both until the queue notices its end; then the loan moves to its pool.
        """
        if (source := self._source_of_taker(pool)) is None:
            self._end_loan(pool)
        else:  # this cycle's next step polls it
            self.live_jobs.replace(replace(source, attempt=replace(source.attempt, needs_polling=True)))

    def _source_of_taker(self, pool: WarmPool) -> LiveJob | None:
        """Returns the live attempt whose pool the taker took over.

        It asks about some of many attempts that are alike. If it misses one, the queue counts too much until that end.
        """
        alike = [live_job for live_job in self.live_jobs.live() if _is_alike(live_job.attempt, pool)]
        sampled = sample(alike, POOLS_PER_SWEEP, self.lease.fence)
        describe = self.services.training.pool
        return next((found for found in sampled if describe(found.attempt.name).reused_by == pool.lent_to), None)

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
        if not job.is_readable:
            return {}
        job = self._with_attempt_of(pool, job)
        left = next((ended for ended in job.status.history if ended.name == pool.name), None)
        if left is not None and left.retained_seconds != seconds:
            with_cost = replace(left, retained_seconds=seconds, retained_reported_in=job.version + 1)
            history = tuple(with_cost if ended is left else ended for ended in job.status.history)
            changed = replace(job, status=replace(job.status, history=history))
            saved = self.services.stores.jobs.save(changed, by=WRITTEN_BY_POOLS)
            self.live_jobs.replace_job(saved)  # the job may be live again
        return self.spending.after_pool(job, pool, seconds)

    def _with_attempt_of(self, pool: WarmPool, job: Job) -> Job:
        """Returns the job with the attempt that left the pool, which may have moved out of the job's record."""
        if any(ended.name == pool.name for ended in job.status.history):
            return job
        attempts = self.services.stores.jobs.with_all_attempts(job).status.history
        moved = next((ended for ended in attempts if ended.name == pool.name), None)
        return job.with_attempt_again(moved) if moved else job


def _is_alike(attempt: Attempt, pool: WarmPool) -> bool:
    """Returns whether the attempt leaves a pool that the taker of this one fits, too."""
    return attempt.pool_key == pool.pool_key and attempt.name != pool.lent_to
