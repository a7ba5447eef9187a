"""Builds the parts of one cycle, which know its lease, its deadline and the live jobs that it has read."""

from dataclasses import dataclass, replace
from datetime import datetime

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


@dataclass(frozen=True, slots=True)
class Collaborators:
    services: CycleServices
    steps: Steps
    live_jobs: LiveJobs
    capacity: CapacityTracker
    reconciliation: Reconciliation
    unmanaged_jobs: UnmanagedJobs
    attempts: Attempts
    sweep: Sweep
    plan_executor: PlanExecutor

    def observe(self) -> Snapshot:
        """Reads the queue, the budget, and the operators' documents; saves new evidence of shortages at SageMaker."""
        self.plan_executor.launch_check = self.services.launch_check()  # reads rules and permissions when first needed
        live = self.live_jobs.live()
        snapshot = self.services.snapshot_reader.observe(
            self.plan_executor.skipped_jobs, live, self.capacity.after(live), self.reconciliation.state
        )
        return replace(snapshot, closed_choices=frozenset(self.plan_executor.closed_choices))


def collaborators(services: CycleServices, lease: Lease, deadline: datetime) -> Collaborators:
    live_jobs = LiveJobs(services.stores.reservations, lease, services.live_job_cache)
    steps = Steps(services.clock, deadline, live_jobs)
    unmanaged_jobs = UnmanagedJobs(services, steps)
    capacity = CapacityTracker(services, lease)
    spending = SpendingRecorder(services.spending)
    retries = Retries(services.stores.jobs, services.admission, services.logs)
    attempts = Attempts(services, lease, live_jobs, capacity, spending, retries, steps)
    warm_pools = WarmPools(services, lease, live_jobs, spending)
    return Collaborators(
        services,
        steps,
        live_jobs,
        capacity,
        Reconciliation(services, lease, unmanaged_jobs, steps),
        unmanaged_jobs,
        attempts,
        Sweep(services, lease, live_jobs, attempts, warm_pools, steps),
        PlanExecutor(services, lease, live_jobs, attempts, warm_pools, steps, services.launch_check()),
    )
