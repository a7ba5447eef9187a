"""Runs one scheduling cycle under a lease: observe, decide, execute.

`_Cycle.run` shows the order of the steps. The table is written before SageMaker is called. A cycle that crashes
anywhere therefore leaves the records that the next cycle needs: it creates an unconfirmed attempt again under the same
name, it stops a job in `stopping` again, and an attempt keeps its budget until SageMaker reports its end.
"""

import logging
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scheduler.admission.admission import Admission
from scheduler.core.jobs.demand import total
from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.planning import plan
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.polling import (
    due_in_sweep,
    for_list_polling,
    pools_to_poll,
    reported_ended,
    select_for_sweep,
    swept_through,
)
from scheduler.cycle.attempts import Attempts
from scheduler.cycle.capacity_tracker import CapacityTracker
from scheduler.cycle.live_jobs import LiveJobCache, LiveJobs
from scheduler.cycle.plan_executor import PlanExecutor
from scheduler.cycle.reconcile.list_polling import ListPolling
from scheduler.cycle.reconcile.reconciliation import Reconciliation
from scheduler.cycle.reconcile.unmanaged_jobs import UnmanagedJobs
from scheduler.cycle.retries import Retries
from scheduler.cycle.spending import SpendingRecorder
from scheduler.cycle.steps import Steps
from scheduler.cycle.unparking import Unparking
from scheduler.cycle.warm_pools import WarmPools
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.observe.spending import SpendingReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.ports.lease_store import LeaseStore
from scheduler.ports.notifications import Notifier
from scheduler.ports.training import RateLimitedTrainingService, TrainingLogs

logger = logging.getLogger(__name__)

#: A lease outlives the function that acquired it (the function's timeout is 60 s), so that two cycles do not overlap.
LEASE_SECONDS = 90
#: The most passes of one cycle. The next cycle does the remaining work.
MAX_PASSES = 20


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Runs scheduling cycles."""

    snapshot_reader: SnapshotReader
    store: JobStore
    leases: LeaseStore
    training: RateLimitedTrainingService
    clock: Clock
    name_mark: str
    admission: Admission
    unmanaged_jobs: UnmanagedJobs
    notifier: Notifier
    logs: TrainingLogs
    live_job_cache: LiveJobCache
    spending: SpendingReader

    def run_cycle(self, time_left: timedelta, *, sweep: bool, changed: Collection[str] = ()) -> bool:
        """Runs a cycle, and more while wake requests arrive. Returns whether all work is done that can be done now.

        With `sweep`, also polls SageMaker for attempts that no event reported. `changed` names the jobs that users or
        other functions changed. Raises LeaseHeld if another cycle is running; that cycle will run once more.
        """
        self.live_job_cache.forget(changed)
        now = self.clock.now()
        lease = self.leases.acquire_lease(now, LEASE_SECONDS)
        # Only the lease's holder calls SageMaker, so the used request rates are stored with the lease.
        self.training.rate_limits = lease.rate_limits
        while True:
            cycle = _Cycle(self, lease, now + time_left, sweep=sweep)
            finished = self._run_or_release_lease(cycle, lease)
            lease = replace(lease, swept_until=cycle.swept_until)
            still_held = self._release_lease(lease)
            if still_held is None:
                return finished
            lease, sweep = still_held, False
            self.live_job_cache.forget_all()  # a wake request does not name the changed jobs

    def _run_or_release_lease(self, cycle: "_Cycle", lease: Lease) -> bool:
        try:
            return cycle.run()
        except Exception:
            # Without the release, Lambda's retry would find the lease held, until the sweep after next.
            still_held: Lease | None = lease
            while still_held is not None:
                still_held = self._release_lease(still_held)
            raise

    def _release_lease(self, lease: Lease) -> Lease | None:
        return self.leases.release_lease(replace(lease, rate_limits=self.training.rate_limits))


class _Cycle:
    def __init__(self, scheduler: Scheduler, lease: Lease, deadline: datetime, *, sweep: bool) -> None:
        self._scheduler = scheduler
        self._lease = lease
        self._sweep = sweep
        self._live_jobs = LiveJobs(scheduler.store, lease, scheduler.live_job_cache)
        self._steps = Steps(scheduler.clock, deadline, self._live_jobs)
        self._capacity = CapacityTracker(
            scheduler.store, scheduler.admission, scheduler.clock, lease, scheduler.snapshot_reader
        )
        self.swept_until = lease.swept_until
        spent = SpendingRecorder(scheduler.spending)
        self._attempts = Attempts(
            scheduler.store,
            scheduler.training,
            scheduler.clock,
            scheduler.snapshot_reader.policy,
            scheduler.notifier,
            Retries(scheduler.store, scheduler.admission, scheduler.logs),
            lease,
            self._live_jobs,
            self._capacity,
            spent,
        )
        self._reconciliation = Reconciliation(
            scheduler.store,
            scheduler.training,
            scheduler.clock,
            lease,
            scheduler.name_mark,
            scheduler.snapshot_reader.scope,
            scheduler.unmanaged_jobs,
            scheduler.live_job_cache,
        )
        self._warm_pools = WarmPools(
            scheduler.store, scheduler.training, scheduler.clock, lease, self._live_jobs, spent
        )
        self._unparking = Unparking(scheduler.snapshot_reader)
        self._plan_executor = PlanExecutor(
            scheduler.store,
            scheduler.clock,
            scheduler.name_mark,
            scheduler.admission,
            lease,
            self._live_jobs,
            self._attempts,
            self._warm_pools,
            self._steps,
        )

    def run(self) -> bool:
        """Runs the steps of one cycle. Returns whether all work is done that can be done now."""
        self._reconciliation.run(self._steps.deadline)
        if self._sweep:
            self._correct_ledger()
            self._poll_attempts()
            self._poll_warm_pools()
            for job in self._unparking.jobs_that_fit():
                self._steps.take(self._unparking.unpark, job)
        for unmanaged_job in self._scheduler.unmanaged_jobs.unchecked():
            self._steps.take(self._scheduler.unmanaged_jobs.check, unmanaged_job)
        was_stale = False
        for _ in range(MAX_PASSES):
            if self._steps.is_out_of_time():
                return False
            has_confirmed = self._advance_attempts()
            has_executed = self._plan_and_execute()
            # A write that failed on stale cached jobs is retried once, because no later event may trigger it.
            is_stale = self._live_jobs.was_invalidated and not was_stale
            was_stale = self._live_jobs.was_invalidated
            if not (has_confirmed or has_executed or is_stale):
                return not self._steps.is_out_of_time()
        return False

    def _correct_ledger(self) -> None:
        holding = [*(live_job.attempt for live_job in self._live_jobs.live()), *self._scheduler.store.pools()]
        if not all(attempt.is_readable for attempt in holding):
            return  # only the ledger includes the demand of unreadable records
        if self._scheduler.store.correct_ledger(total(attempt.demand for attempt in holding), self._lease):
            logger.error("recount", extra={"cause": "the ledger disagreed with the live attempts and was corrected"})

    def _poll_attempts(self) -> None:
        """Polls attempts that no event reported. The next sweep polls attempts that this one had no time for."""
        now, live = (
            self._scheduler.clock.now(),
            [live_job for live_job in self._live_jobs.live() if live_job.is_readable],
        )
        due = due_in_sweep(live, self.swept_until, now)
        running = self._poll_by_list(for_list_polling(due, now))
        selected = select_for_sweep(
            [live_job for live_job in due if live_job.attempt.name not in running], now, self._lease.fence
        )
        polled = {live_job.attempt.name for live_job in selected if self._steps.take(self._attempts.poll, live_job)}
        self.swept_until = swept_through(
            [live_job for live_job in due if live_job.attempt.name not in running | polled], now
        )

    def _poll_by_list(self, attempts: Sequence[LiveJob]) -> Set[str]:
        list_polling = ListPolling(self._scheduler.training, self._scheduler.name_mark)
        if attempts:
            self._steps.take(list_polling.poll, attempts)
        return list_polling.running

    def _poll_warm_pools(self) -> None:
        for pool in pools_to_poll(self._scheduler.store.pools(), self._lease.fence):
            self._steps.take(self._warm_pools.poll, pool)

    def _advance_attempts(self) -> bool:
        """Takes the next step with each live attempt. Returns whether an attempt was confirmed."""
        # An unreadable record keeps its budget until an operator repairs it.
        live = [live_job for live_job in self._live_jobs.live() if live_job.is_readable]
        reported = {live_job.attempt.name for live_job in reported_ended(live)}
        has_confirmed = False
        for live_job in live:
            if not live_job.attempt.created:
                has_confirmed |= self._steps.take(self._create_again, live_job)
            elif live_job.job.state is JobState.STOPPING and not live_job.attempt.stop_sent:
                self._steps.take(self._attempts.stop, live_job)
            elif live_job.attempt.name in reported:
                self._steps.take(self._attempts.poll, live_job)
        return has_confirmed

    def _create_again(self, live_job: LiveJob) -> None:
        sent = self._attempts.record_sent_at(live_job, self._scheduler.clock.now())
        # That write may have been delayed until the lease was lost, or until the attempt counts as lost (attempts.py).
        if not self._steps.is_out_of_time():
            self._attempts.create_again(sent, sent_before=live_job.attempt.last_sent_at)

    def _plan_and_execute(self) -> bool:
        """Makes a plan and executes it. Returns whether anything was done; if so, another pass may find more."""
        live = self._live_jobs.live()
        snapshot = self._scheduler.snapshot_reader.observe(
            self._plan_executor.skipped_jobs,
            live,
            self._capacity.after(live),
            self._reconciliation.reconciliation_state,
        )
        decided = plan(
            replace(snapshot, closed_choices=frozenset(self._plan_executor.closed_choices)), self._scheduler.clock.now()
        )
        budget = snapshot.budget.reduced_by(snapshot.held_by_unmanaged_jobs)  # the budget that the plan was made with
        return self._plan_executor.execute(decided, budget)
