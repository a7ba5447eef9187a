"""Polls and releases warm pools: instances that SageMaker keeps for a while after the end of an attempt.

Only a training job that matches the pool can use these instances. So a pool holds its budget until SageMaker reports
its end (aws-facts 2.55). A matching attempt may take the pool over; SageMaker reports whether it did.
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

#: How long after an attempt's creation Describe may still show the pool that the attempt took over: SageMaker matches
#: the pool at creation, and Describe may lag.
POOL_REUSE_GRACE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class WarmPools:
    services: CycleServices
    lease: Lease
    live_jobs: LiveJobs
    spending: SpendingRecorder

    def poll(self, pool: WarmPool) -> None:
        """Asks SageMaker about the pool, and frees its budget if the pool ended or an attempt took it over.

        Raises PoolNotReleased if the pool still holds its instances.
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
        """Asks SageMaker to end the pool, which may take a while. If the pool remains, a later cycle asks again.

        `plan_executor` calls this for each pool that the plan releases because a job needs its instances.
        """
        try:
            self.services.training.release_pool(pool.name)
        except (Refused, AttemptUnknown):
            if self.services.training.pool(pool.name).is_held:
                raise  # the pool still exists, so the error has another cause

    def _pool_lent_to_taker(self, pool: WarmPool, observation: PoolObservation) -> WarmPool | None:
        """Returns the pool that was lent to the attempt, if the attempt took over this pool instead.

        SageMaker starts an attempt on any matching pool, not necessarily on the pool that the queue lent.
        """
        other_pools = (other for other in self.services.stores.pools.pools() if other.name != pool.name)
        return next(
            (other for other in other_pools if observation.reused_by and other.lent_to == observation.reused_by), None
        )

    def _should_be_taken_over(self, pool: WarmPool) -> bool:
        """Returns whether the borrowing attempt can no longer take over the pool.

        This is the case if it has ended, or if POOL_REUSE_GRACE has passed since its creation.
        """
        taker = self._live(pool.lent_to)
        if taker is None:
            return True
        # Counted from the job's last change, which was its creation.
        return taker.attempt.created and self.services.clock.now() - taker.job.status.updated_at > POOL_REUSE_GRACE

    def _correct_loan(self, pool: WarmPool) -> None:
        """Ends the pool's loan, unless the borrowing attempt took over another pool.

        The loan then moves to that pool when the queue polls that pool, or notices the end of the pool's own attempt.
        Until then, that pool or attempt holds the budget of both.
        """
        if self._took_another_pool(pool):
            return
        if (source := self._source_of_taker(pool)) is None:
            self._end_loan(pool)
        else:  # this cycle's next step polls it
            self.live_jobs.replace(replace(source, attempt=replace(source.attempt, needs_polling=True)))

    def _took_another_pool(self, pool: WarmPool) -> bool:
        """Returns whether the borrowing attempt took over another pool that the queue still counts.

        Checks only a sample of similar pools. If it misses the right pool, the queue counts too many instances as held
        until it polls that pool.
        """
        others = (other for other in self.services.stores.pools.pools() if not other.lent_to)
        alike = [other for other in others if other.pool_key == pool.pool_key]
        sampled = sample(alike, POOLS_PER_SWEEP, self.lease.fence)
        return any(self.services.training.pool(other.name).reused_by == pool.lent_to for other in sampled)

    def _source_of_taker(self, pool: WarmPool) -> LiveJob | None:
        """Returns the live attempt whose pool the borrowing attempt took over, if there is one.

        Checks only a sample if many attempts are alike. If the sample misses the right attempt, the queue counts too
        many instances as held until it notices that attempt's end.
        """
        alike = [live_job for live_job in self.live_jobs.live() if _is_alike(live_job.attempt, pool)]
        sampled = sample(alike, POOLS_PER_SWEEP, self.lease.fence)
        describe = self.services.training.pool
        return next((found for found in sampled if describe(found.attempt.name).reused_by == pool.lent_to), None)

    def _live(self, attempt_name: str) -> LiveJob | None:
        return next((live_job for live_job in self.live_jobs.live() if live_job.attempt.name == attempt_name), None)

    def _end_loan(self, pool: WarmPool) -> None:
        """Ends the loan and releases the pool at once, because the queue now holds more instances than planned."""
        self.services.stores.pools.end_pool_loan(pool, self.lease)
        logger.error("pool not taken over", extra={"attempt": pool.name, "by": pool.lent_to})
        self.release(pool)

    def _record_cost(self, pool: WarmPool, seconds: int) -> Mapping[SpentTimeKey, SpentTime]:
        """Records the pool's billed seconds in its job. Returns the month's new spending counts, not saved yet.

        The job is written before the pool is removed: after a crash in between, the same seconds are written again.
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
        """Returns the job with the attempt that left the pool, even if the job's record no longer has it."""
        if any(ended.name == pool.name for ended in job.status.history):
            return job
        attempts = self.services.stores.jobs.with_all_attempts(job).status.history
        moved = next((ended for ended in attempts if ended.name == pool.name), None)
        return job.with_attempt_again(moved) if moved else job


def _is_alike(attempt: Attempt, pool: WarmPool) -> bool:
    """Returns whether the attempt would leave a pool that also matches the attempt to which `pool` is lent."""
    return attempt.pool_key == pool.pool_key and attempt.name != pool.lent_to
