"""Reservations in the table. Each write to an attempt is in one transaction with the ledger and the job."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.adapters.dynamodb.jobs.learned import learned_writes
from scheduler.adapters.dynamodb.jobs.store import rewrite_job, stale, written
from scheduler.adapters.dynamodb.jobs.warm_pools import DynamoDBWarmPoolStore, add_pool, rewrite_pool
from scheduler.adapters.dynamodb.lease import ledger
from scheduler.adapters.dynamodb.records.job_records import (
    attempt_item,
    attempt_key,
    ended_attempt_item,
    notice_values,
)
from scheduler.adapters.dynamodb.records.record_converter import attribute_values
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, PRESENT, Write, delete, put, set_attributes
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.job import Job
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.warm_pools.warm_pool import WarmPool, end_loan, lend
from scheduler.errors.internal import OverBudget, StaleJob
from scheduler.ports.job_store import NOTHING_LEARNED, SCHEDULE


@dataclass(frozen=True, slots=True)
class DynamoDBReservations:
    table: Table

    def launch(self, job: Job, attempt: Attempt, budget: Budget, lease: Lease, pool: WarmPool | None = None) -> Job:
        if not budget.could_ever_run(attempt.demand):
            raise OverBudget(f"{attempt.demand} is more than the whole budget")
        if pool is None:
            budgeted = [ledger.reserve(attempt.demand, budget, lease)]
        else:
            budgeted = [ledger.check_lease(lease), rewrite_pool(lend(pool, attempt.name), lent_before="")]
        self.table.transact(*budgeted, rewrite_waiting_job(job), _addition(job, attempt))
        return written(job)

    def update_attempt(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        # Writes only the cycle's own attributes: it neither overwrites a concurrent observation nor conflicts with it.
        marks = {
            "created": attempt.created,
            "stop_sent": attempt.stop_sent,
            "recorded_interruptions": attempt.recorded_interruptions,
            **notice_values(attempt),
            **_marks(job),
        }
        marked = set_attributes(attempt_key(attempt.name), marks, PRESENT, refusal=stale(job))
        self.table.transact(ledger.check_lease(lease), rewrite_job(job), marked)
        return written(job)

    def narrow(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        demand, known = {"demand": job.status.selected.as_dict(), **_marks(job)}, {":known": attempt.demand.as_dict()}
        narrowed = set_attributes(attempt_key(attempt.name), demand, "demand = :known", known, stale(job))
        self.table.transact(ledger.change(job.status.selected - attempt.demand, lease), rewrite_job(job), narrowed)
        return written(job)

    def record_create(self, attempt: Attempt, sent_before: datetime | None, lease: Lease) -> None:
        known = {":known": moment(sent_before)} if sent_before else {}
        unchanged = "sent_at = :known" if known else "attribute_not_exists(sent_at)"
        sent = {
            "sent_at": moment(attempt.last_sent_at),
            "keep_alive": attempt.keep_alive,
            "refused_keep_alive": attempt.refused_keep_alive,
            "changed_by": SCHEDULE,
        }
        key, stale_job = attempt_key(attempt.name), StaleJob(attempt.job_name)
        marked = set_attributes(key, sent, f"{PRESENT} AND {unchanged}", known, stale_job)
        self.table.transact(ledger.check_lease(lease), marked)

    def settle(
        self,
        job: Job,
        attempt: Attempt,
        lease: Lease,
        learned: Learned = NOTHING_LEARNED,
        *,
        left_pool: bool = False,
    ) -> Job:
        pool = None if left_pool else self._lent_to(attempt)
        released = NOTHING if left_pool or pool else attempt.demand
        job, moved = job.with_recent_attempts()
        self.table.transact(
            ledger.change(NOTHING - released, lease),
            rewrite_job(job),
            *(put(ended_attempt_item(job.name, ended, changed_by=SCHEDULE)) for ended in moved),
            _removal(job, attempt),
            *([add_pool(WarmPool.left_by(attempt))] if left_pool else []),
            *([rewrite_pool(end_loan(pool), lent_before=attempt.name)] if pool else []),
            *learned_writes(learned, job.status.updated_at),
        )
        return written(job)

    def adopt(self, job: Job, attempt: Attempt, lost: Attempt | None, lease: Lease) -> Job:
        self.table.transact(
            ledger.change(attempt.demand - (lost.demand if lost else NOTHING), lease),
            rewrite_job(job),
            _addition(job, attempt),
            *([_removal(job, lost)] if lost else []),
        )
        return written(job)

    def _lent_to(self, attempt: Attempt) -> WarmPool | None:
        """Returns the pool that was lent to the attempt, if it still exists."""
        pools = DynamoDBWarmPoolStore(self.table).pools() if attempt.on_pool else ()
        return next((pool for pool in pools if pool.lent_to == attempt.name), None)


def rewrite_waiting_job(job: Job) -> Write:
    """Replaces the job as `rewrite_job` does, but only if the job still waits."""
    return rewrite_job(job, only_if="#version = :version AND attribute_exists(line_sk)")


def _addition(job: Job, attempt: Attempt) -> Write:
    version = attribute_values({"job_version": written(job).version})  # read by `live_attempts`
    return put(attempt_item(attempt, changed_by=SCHEDULE) | version, ABSENT, refusal=stale(job))


def _removal(job: Job, attempt: Attempt) -> Write:
    return delete(attempt_key(attempt.name), PRESENT, refusal=stale(job))


def _marks(job: Job) -> dict[str, object]:
    return {"job_version": written(job).version, "changed_by": SCHEDULE}
