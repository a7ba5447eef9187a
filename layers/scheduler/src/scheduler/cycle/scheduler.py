"""Runs scheduling cycles: `Scheduler.run_cycle` shows what a cycle does, in which order, and what repairs a crash.

Three rules make a crash between any two steps harmless. Launches and stops are written to the queue's table before
SageMaker is called: the next cycle calls again, and under one attempt name SageMaker creates and stops only once. An
end is settled in one transaction, with its budget, its counts and the job's next state; until then, attempts and warm
pools hold their budget. All else is decided again, because each cycle considers the whole queue. A crashed cycle's
lease expires, and the next sweep or change starts from the records; at worst, SageMaker throttles a call meanwhile.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.reconciliation.lease import Lease
from scheduler.cycle.attempts import Attempts
from scheduler.cycle.capacity_tracker import CapacityTracker
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.plan_executor import PlanExecutor
from scheduler.cycle.reconcile.reconciliation import Reconciliation
from scheduler.cycle.reconcile.unmanaged_jobs import UnmanagedJobs
from scheduler.cycle.retries import Retries
from scheduler.cycle.services import CycleServices
from scheduler.cycle.spending import SpendingRecorder
from scheduler.cycle.steps import Steps
from scheduler.cycle.sweep import Sweep
from scheduler.cycle.warm_pools import WarmPools

#: A lease outlives the function that acquired it (the function's timeout is 60 s), so that two cycles do not overlap.
LEASE_SECONDS = 90
#: The most passes of one cycle. The next cycle does the remaining work.
MAX_PASSES = 20


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Runs cycles. A `sweep` also polls SageMaker; `changed` names jobs that users or other functions changed."""

    services: CycleServices

    def run_cycle(self, time_left: timedelta, *, sweep: bool, changed: Collection[str] = ()) -> bool:
        """Returns whether all work is done that can be done now. Raises LeaseHeld; then the holder runs once more."""
        self.services.live_job_cache.forget(changed)
        deadline = self.services.clock.now() + time_left
        # 1. Take the lease. After a crash it expires, and another cycle starts from the records.
        lease: Lease | None = self._take_lease()
        while lease is not None:
            cycle = _Cycle(self.services, lease, deadline)
            with self._giving_back_on_error(lease):
                # 2. Reconcile: adopt lost attempts. The position in SageMaker's list is saved after them.
                cycle.reconciliation.run()
                # 3. Sweep: poll what no event reported. `swept_until` is saved in step 12; the next sweep polls again.
                lease = replace(lease, swept_until=cycle.sweep.run()) if sweep else lease
                # 4. Check jobs that bypassed the queue. A job is marked after its stop, or checked and stopped again.
                cycle.unmanaged_jobs.check_next()
                has_changed = True  # until a pass finds nothing to do
                for _ in cycle.steps.in_time(range(MAX_PASSES)):
                    # 5. Follow attempts: create unconfirmed ones again, send recorded stops, settle reported ends.
                    has_changed = cycle.attempts.follow()  # the next cycle repeats each: same name, same stop, same end
                    # 6. Observe: read, and save new evidence of shortages; if it is not saved, the next cycle finds it.
                    snapshot = cycle.observe()
                    # 7. Plan: change nothing; after a crash the next cycle decides again.
                    decided = plan(snapshot, self.services.clock.now())
                    # 8. Launch: reserve in the table, then create. After a crash in between, step 5 creates.
                    has_changed |= cycle.plan_executor.launch(decided.launches, snapshot)
                    # 9. Release warm pools. A pool holds budget until its end is reported, and is released again.
                    has_changed |= cycle.plan_executor.release(decided.releases)
                    # 10. Preempt and evict: record `stopping`, then stop. After a crash in between, step 5 stops.
                    has_changed |= cycle.plan_executor.preempt(decided.preemptions)
                    has_changed |= cycle.plan_executor.evict(decided.evictions)
                    # 11. Park jobs that cannot run: one write, then a notice, which is all that a crash can lose.
                    has_changed |= cycle.plan_executor.park(decided.parks)
                    has_changed |= cycle.live_jobs.found_first_stale_job()  # plan again: possibly no event asks for it
                    if not has_changed:
                        break
            finished = not (has_changed or cycle.steps.is_out_of_time())
            # 12. Give the lease back in one write, which fails if a wake request arrived: one more cycle, no sweep.
            lease, sweep = self._give_back(lease), False
        return finished

    def _take_lease(self) -> Lease:
        lease = self.services.leases.acquire_lease(self.services.clock.now(), LEASE_SECONDS)
        # Only the lease's holder calls SageMaker, so the used request rates are stored with the lease.
        self.services.training.rate_limits = lease.rate_limits
        return lease

    def _give_back(self, lease: Lease) -> Lease | None:
        """Returns the lease that is still held, because a wake request arrived."""
        rate_limits = self.services.training.rate_limits
        still_held = self.services.leases.release_lease(replace(lease, rate_limits=rate_limits))
        if still_held is not None:
            self.services.live_job_cache.forget_all()  # a wake request does not name the changed jobs
        return still_held

    @contextmanager
    def _giving_back_on_error(self, lease: Lease) -> Iterator[None]:
        """Gives the lease back at an error. Otherwise Lambda's retry would fail, because the lease is held."""
        try:
            yield
        except Exception:
            still_held: Lease | None = lease
            while still_held is not None:
                still_held = self._give_back(still_held)
            raise


class _Cycle:
    """The parts of one cycle: they know its lease, its deadline, and the live jobs that it has read."""

    def __init__(self, services: CycleServices, lease: Lease, deadline: datetime) -> None:
        self._services = services
        self.live_jobs = LiveJobs(services.stores.reservations, lease, services.live_job_cache)
        self.steps = Steps(services.clock, deadline, self.live_jobs)
        self.unmanaged_jobs = UnmanagedJobs(services, self.steps)
        self.reconciliation = Reconciliation(services, lease, self.unmanaged_jobs, self.steps)
        self._capacity = CapacityTracker(services, lease)
        spending, retries = SpendingRecorder(services.spending), Retries(services)
        self.attempts = Attempts(services, lease, self.live_jobs, self._capacity, spending, retries, self.steps)
        warm_pools = WarmPools(services, lease, self.live_jobs, spending)
        self.sweep = Sweep(services, lease, self.live_jobs, self.attempts, warm_pools, self.steps)
        self.plan_executor = PlanExecutor(services, lease, self.live_jobs, self.attempts, warm_pools, self.steps)

    def observe(self) -> Snapshot:
        """Reads the queue, the budget, and the operators' documents; saves new evidence of shortages at SageMaker."""
        executor, live = self.plan_executor, self.live_jobs.live()
        executor.launch_check = self._services.launch_check()  # reads rules and permissions when first needed
        snapshot = self._services.snapshot_reader.observe(
            executor.skipped_jobs, live, self._capacity.after(live), self.reconciliation.state
        )
        return replace(snapshot, closed_choices=frozenset(executor.closed_choices))
