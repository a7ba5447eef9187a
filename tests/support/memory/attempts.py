"""Stores live attempts, and the warm pools that attempts leave, in memory."""

from dataclasses import replace
from datetime import datetime

from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.warm_pools.warm_pool import WarmPool, end_loan, lend, swap_pools
from scheduler.errors.internal import OverBudget, StaleJob
from scheduler.ports.job_store import NOTHING_LEARNED
from support.memory.records import MemoryRecords


class MemoryAttempts(MemoryRecords):
    """Has the methods of a JobStore that write attempts and pools."""

    def attempt(self, name: str) -> Attempt | None:
        return self.attempts.get(name)

    def launch(self, job: Job, attempt: Attempt, budget: Budget, lease: Lease, pool: WarmPool | None = None) -> Job:
        self._check_fence(lease)
        self._check_version(job)
        if not self.jobs[job.name].is_queued or attempt.name in self.attempts:
            raise StaleJob(job.name)
        if pool is not None:
            self._rewrite_pool(lend(pool, attempt.name), lent_before="")
        elif not attempt.demand.fits(budget.limit - self._held()):
            raise OverBudget(f"{job.name} needs {attempt.demand}")
        self.attempts[attempt.name] = attempt
        return self._write(job)

    def update_attempt(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        self._check_fence(lease)
        self._check_version(job)
        if attempt.name not in self.attempts:
            raise StaleJob(job.name)
        known = self.attempts[attempt.name]
        self.attempts[attempt.name] = replace(
            known,
            created=attempt.created,
            stop_sent=attempt.stop_sent,
            recorded_interruptions=attempt.recorded_interruptions,
            takes_notice=attempt.takes_notice or known.takes_notice,
            notice=attempt.notice or known.notice,
        )
        return self._write(job)

    def narrow(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        self._check_fence(lease)
        self._check_version(job)
        if attempt.name not in self.attempts or self.attempts[attempt.name].demand != attempt.demand:
            raise StaleJob(job.name)
        self.attempts[attempt.name] = replace(self.attempts[attempt.name], demand=job.status.selected)
        return self._write(job)

    def record_create(self, attempt: Attempt, sent_before: datetime | None, lease: Lease) -> None:
        self._check_fence(lease)
        known = self.attempts.get(attempt.name)
        if known is None or known.sent_at != sent_before:
            raise StaleJob(attempt.job_name)
        self.attempts[attempt.name] = replace(
            known,
            sent_at=attempt.sent_at,
            keep_alive=attempt.keep_alive,
            refused_keep_alive=attempt.refused_keep_alive,
        )

    def record_observation(self, attempt_name: str, observation: Observation, *, by: str) -> bool:
        known = self.attempts.get(attempt_name)
        if known is None or not observation.supersedes(known.observation):
            return False
        self.attempts[attempt_name] = replace(known, observation=observation, needs_polling=observation.is_terminal)
        self._wake(by)
        return True

    def record_save(self, attempt_name: str, save: Save, *, by: str) -> bool:
        moment(save.saved_at)  # as in DynamoDB, which keeps times in UTC
        known = self.attempts.get(attempt_name)
        if known is None or not save.supersedes(known.saved):
            return False
        self.attempts[attempt_name] = replace(known, saved=save)
        self._wake(by)
        return True

    def settle(
        self,
        job: Job,
        attempt: Attempt,
        lease: Lease,
        learned: Learned = NOTHING_LEARNED,
        *,
        left_pool: bool = False,
    ) -> Job:
        self._check_fence(lease)
        self._check_version(job)
        if attempt.name not in self.attempts:
            raise StaleJob(job.name)
        del self.attempts[attempt.name]
        if left_pool:
            self.warm_pools[attempt.name] = WarmPool.left_by(attempt)
        elif pool := next((pool for pool in self.pools() if pool.lent_to == attempt.name), None):
            self.warm_pools[pool.name] = end_loan(pool)
        before = self.learned
        self.learned = Learned(
            {**before.runs, **learned.runs},
            {**before.usage, **learned.usage},
            {**before.statistics, **learned.statistics},
        )
        self.capacity_memory = learned.capacity or self.capacity_memory
        self.spending_counts |= learned.spent
        job, moved = job.with_recent_attempts()
        known = self.ended_attempts.get(job.name, {})
        self.ended_attempts[job.name] = known | {(ended.number, ended.ended_at): ended for ended in moved}
        return self._write(job)

    def adopt(self, job: Job, attempt: Attempt, lost: Attempt | None, lease: Lease) -> Job:
        self._check_fence(lease)
        self._check_version(job)
        if attempt.name in self.attempts or (lost and lost.name not in self.attempts):
            raise StaleJob(job.name)
        if lost:
            del self.attempts[lost.name]
        self.attempts[attempt.name] = attempt
        return self._write(job)

    def pools(self) -> tuple[WarmPool, ...]:
        return tuple(self.warm_pools[name] for name in sorted(self.warm_pools))

    def remove_pool(
        self,
        pool: WarmPool,
        lease: Lease,
        taker: Attempt | None = None,
        lent_to_taker: WarmPool | None = None,
        learned: Learned = NOTHING_LEARNED,
    ) -> None:
        self._check_fence(lease)
        known = self.warm_pools.get(pool.name)
        if known is None or known.lent_to != pool.lent_to or (taker and taker.name not in self.attempts):
            raise StaleJob(pool.name)
        if lent_to_taker is not None:
            self._rewrite_pool(swap_pools(lent_to_taker, pool), lent_before=lent_to_taker.lent_to)
        if taker is not None:
            self.attempts[taker.name] = replace(self.attempts[taker.name], started_on=pool.name)
        self.spending_counts |= learned.spent
        del self.warm_pools[pool.name]

    def end_pool_loan(self, pool: WarmPool, lease: Lease) -> None:
        self._check_fence(lease)
        self._rewrite_pool(end_loan(pool), lent_before=pool.lent_to)

    def correct_ledger(self, held: Demand, lease: Lease) -> bool:
        self._check_fence(lease)
        return held != self._held()  # which is computed here and thus never wrong

    def _rewrite_pool(self, pool: WarmPool, lent_before: str) -> None:
        known = self.warm_pools.get(pool.name)
        if known is None or known.lent_to != lent_before:
            raise StaleJob(pool.name)
        self.warm_pools[pool.name] = pool
