"""Runs scheduling cycles: `Scheduler.run_cycle` shows the steps of a cycle, their order, and how each survives a crash.

Three rules make a crash between any two steps harmless:

1. Launches and stops are written to the queue's table before SageMaker is called. After a crash, the next cycle repeats
   the call. The repeated call is safe, because SageMaker never has two training jobs with the same name.
2. One transaction settles the end of an attempt: its budget, its counts and the job's next state. Until then, attempts
   and warm pools hold their budget.
3. Everything else is decided again, because each cycle considers the whole queue.

The lease of a crashed cycle expires, and the next sweep or change starts from the records. At worst, SageMaker
throttles a call.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scheduler.admission.launch_check import JudgedPlan, JudgedPlans, RequestCache
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.plan_effects import MAX_PASSES
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.reconciliation.lease import Lease
from scheduler.cycle.arrays import Arrays
from scheduler.cycle.attempts.attempt_records import AttemptRecords
from scheduler.cycle.attempts.attempts import Attempts
from scheduler.cycle.attempts.capacity_tracker import CapacityTracker
from scheduler.cycle.attempts.creation import Creation
from scheduler.cycle.attempts.retries import Retries
from scheduler.cycle.attempts.stop_notices import StopNotices
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.plan_executor import PlanExecutor
from scheduler.cycle.queue_judge import QueueJudge
from scheduler.cycle.reconcile.findings import Findings
from scheduler.cycle.reconcile.reconciliation import Reconciliation
from scheduler.cycle.reconcile.unmanaged_jobs import UnmanagedJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.spending import SpendingRecorder
from scheduler.cycle.steps import Steps
from scheduler.cycle.successors import Successors
from scheduler.cycle.sweep import Sweep
from scheduler.cycle.warm_pools import WarmPools
from scheduler.cycle.watches.unmanaged_jobs import UnmanagedJobWatch

#: How long a lease lasts: longer than the function that holds it, whose timeout is 60 s, so that no two cycles overlap.
LEASE_SECONDS = 90


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Runs scheduling cycles."""

    services: CycleServices

    def run_cycle(
        self, time_left: timedelta, *, sweep: bool, has_alarms: bool = False, changed: Collection[str] = ()
    ) -> bool:
        """Runs a cycle. Returns whether it finished all the work that is possible now.

        `sweep` makes the cycle poll SageMaker, too. `changed` contains the names of the jobs that users or other
        functions changed. If the cycle runs out of time, another cycle continues. With `has_alarms`, the queue never
        counts as idle: the next sweep must delete the alarms of attempts that end after this cycle. Raises LeaseHeld
        if another cycle is running; that cycle then runs once more.
        """
        self.services.live_job_cache.forget(changed)  # drops them from memory only: this cycle reads these jobs again
        deadline = self.services.clock.now() + time_left
        # 1. Take the lease. After a crash it expires, and another cycle starts from the records.
        lease: Lease | None = self._take_lease(sweep=sweep)
        has_achieved = False
        while lease is not None:
            cycle, sweep = _Cycle(self.services, lease, deadline), sweep or lease.sweep_due
            with self._giving_back_on_error(lease):
                # 2. Reconcile: adopt lost attempts. The position in SageMaker's list is saved after their adoption.
                cycle.reconcile()
                # 3. Sweep: correct the ledger, poll attempts and pools for lost events, apply due timers, and unpark
                # jobs that fit again. After a crash, the next sweep repeats this: `swept_until` is saved in step 12.
                lease = self._swept(lease, cycle) if sweep else lease
                # 4. Check jobs that bypassed the queue; park waiting jobs that new rules refuse. After a crash, the
                # next cycle repeats both: `judged_queue` is saved in step 12. A crash can lose the notice of a finding.
                cycle.unmanaged_jobs.check_next()
                lease = replace(lease, judged_queue=cycle.queue_judge.run())
                has_changed = True  # until a pass finds nothing to do
                for _ in cycle.steps.in_time(range(MAX_PASSES)):
                    # 5. Follow attempts: create unconfirmed ones again, send due stops, settle reported ends. After a
                    # crash, the next cycle repeats these steps with the same name, stop and end.
                    has_changed = cycle.attempts.follow()
                    # Release the jobs that waited for finished ones. After a crash, the next sweep does this.
                    has_changed |= cycle.successors.check_after_ends()
                    # Create children of arrays. One transaction writes a child and its array's record.
                    has_changed |= cycle.arrays.check_changed()
                    # 6. Observe: read the queue, and save new evidence of shortages. After a crash, the next cycle
                    # finds that evidence again.
                    snapshot = cycle.observe()
                    # 7. Plan, without jobs that are not allowed to start. This changes nothing; after a crash, it is
                    # repeated.
                    decided, requests = cycle.decide(snapshot)
                    # 8. Launch: reserve budget in the table, then create. After a crash in between, step 5 creates.
                    has_changed |= cycle.plan_executor.launch(decided.launches, requests, snapshot)
                    # 9. Release warm pools. A pool holds budget until its end is reported, and is released again.
                    has_changed |= cycle.plan_executor.release(decided.releases)
                    # 10. Preempt, evict, grow: record `stopping`, then give notice or stop. After a crash: step 5.
                    has_changed |= cycle.plan_executor.preempt(decided.preemptions)
                    has_changed |= cycle.plan_executor.evict(decided.evictions)
                    has_changed |= cycle.plan_executor.grow(decided.growths)
                    # 11. Park jobs that cannot run: one write each. The function `history` then notifies the owners.
                    has_changed |= cycle.plan_executor.park(decided.parks)
                    has_changed |= cycle.steps.has_set_aside_another()  # plan again without jobs that cause errors
                    # If a write failed because its job had changed, plan again, once: there may be no event to request
                    # a cycle.
                    has_changed |= cycle.live_jobs.found_first_stale_job()
                    if not has_changed:
                        break
                out_of_time = cycle.steps.is_out_of_time()
                finished = not (has_changed or out_of_time)
                # Until this time, sweeps end at once. Step 1 clears it, so that a crash never leaves the queue idle.
                idle_until = cycle.idle_until() if sweep and finished and not has_alarms else None
            # 12. Give the lease back in one write. It fails if a wake request arrived: then one more cycle follows. If
            # time ran out, that write wakes the next cycle, so that a burst of jobs does not wait for sweeps. It wakes
            # none if nothing was achieved, because a permanent error would then wake cycles forever.
            has_achieved |= sweep or cycle.live_jobs.has_written
            wakes_again = out_of_time and has_achieved
            lease, sweep = self._give_back(replace(lease, idle_until=idle_until), wakes_again=wakes_again), False
        return finished

    def _swept(self, lease: Lease, cycle: "_Cycle") -> Lease:
        """Runs the sweep, which stays due if no time is left. The next sweep polls attempts that this sweep missed."""
        lease = replace(lease, sweep_due=cycle.steps.is_out_of_time())
        swept_until = cycle.sweep.run()
        cycle.unmanaged_job_watch.check_next()
        return replace(
            lease,
            swept_until=swept_until,
            parked_token=cycle.sweep.unpark(lease.parked_token),
            successors_token=cycle.successors.sweep(lease.successors_token),
            arrays_token=cycle.arrays.sweep(lease.arrays_token),
        )

    def _take_lease(self, *, sweep: bool) -> Lease:
        lease = self.services.leases.acquire_lease(self.services.clock.now(), LEASE_SECONDS, sweep=sweep)
        # Only the holder of the lease calls SageMaker, so the use of its request rates is stored with the lease.
        self.services.training.rate_limits = lease.rate_limits
        return lease

    def _give_back(self, lease: Lease, *, wakes_again: bool = False) -> Lease | None:
        """Releases the lease and returns None.

        If a wake request has arrived, returns the lease, which is then still held.
        """
        used = replace(lease, rate_limits=self.services.training.rate_limits)
        still_held = self.services.leases.release_lease(used, wakes_again=wakes_again)
        if still_held is not None:
            self.services.live_job_cache.forget_all()  # a wake request does not name the changed jobs
        return still_held

    @contextmanager
    def _giving_back_on_error(self, lease: Lease) -> Iterator[None]:
        """Gives the lease back after an error. Otherwise, Lambda's retry would find the lease held and fail.

        Drops the wake requests that arrived, and the progress of steps 3 and 4. Nothing is lost: Lambda's retry or the
        next sweep considers the whole queue.
        """
        try:
            yield
        except Exception:
            still_held: Lease | None = lease
            while still_held is not None:
                still_held = self._give_back(still_held)
            raise


class _Cycle:
    """Builds the parts of one cycle, which share its lease, its deadline, and the live jobs that it has read."""

    def __init__(self, services: CycleServices, lease: Lease, deadline: datetime) -> None:
        self._services = services
        self.live_jobs = LiveJobs(services.stores.reservations, lease, services.live_job_cache)
        self.steps = Steps(services.clock, deadline, self.live_jobs, services.stores.jobs)
        findings = Findings(services)
        self.unmanaged_jobs = UnmanagedJobs(services, findings, self.steps)
        self.unmanaged_job_watch = UnmanagedJobWatch(services, findings, self.steps)
        self._reconciliations = [
            Reconciliation(services, lease, self.unmanaged_jobs, self.steps, kind)
            for kind in services.snapshot_reader.listed_kinds
        ]
        self._capacity = CapacityTracker(services, lease)
        spending = SpendingRecorder(services)
        records = AttemptRecords(services, lease, self.live_jobs, self._capacity, spending)
        stop_notices = StopNotices(services, self.live_jobs, records)
        creation = Creation(services, lease, self.live_jobs, records, self._capacity, stop_notices, self.steps)
        self.attempts = Attempts(
            services,
            lease,
            self.live_jobs,
            records,
            creation,
            self._capacity,
            Retries(services),
            stop_notices,
            self.steps,
        )
        self.successors = Successors(services, self.live_jobs, self.steps)
        self.arrays = Arrays(services, self.live_jobs, self.steps)
        warm_pools = WarmPools(services, lease, self.live_jobs, spending)
        self.sweep = Sweep(services, lease, self.live_jobs, self.attempts, warm_pools, self.steps)
        self.plan_executor = PlanExecutor(
            services, lease, self.live_jobs, creation, self.attempts, warm_pools, self.steps
        )
        self.queue_judge = QueueJudge(services, lease, self.plan_executor, self.steps)
        self._plans, self._requests = JudgedPlans(services.name_mark), RequestCache(services.stores.jobs.requests_of)

    def reconcile(self) -> None:
        for one in self._reconciliations:
            one.run()

    def idle_until(self) -> datetime | None:
        if self.arrays.have_work():
            return None
        due = [one.state.next_at for one in self._reconciliations if one.state.next_at is not None]
        return self.sweep.idle_until(min(due) if len(due) == len(self._reconciliations) else None)

    def observe(self) -> Snapshot:
        """Reads the queue, the budget and the configuration; saves new evidence of shortages at SageMaker."""
        live = tuple(map(self._kept_if_set_aside, self.live_jobs.live()))
        self._configuration = self._services.configuration.current()
        return self._services.snapshot_reader.observe(
            self.plan_executor.skipped_jobs | self.steps.set_aside,
            live,
            self._capacity.after(live),
            [one.state for one in self._reconciliations],
            self._configuration,
        )

    def _kept_if_set_aside(self, live_job: LiveJob) -> LiveJob:
        """Returns the live job, marked as never preemptible if this cycle skips it, as no stop could be recorded."""
        if live_job.job.name not in self.steps.set_aside:
            return live_job
        options = replace(live_job.job.options, never_preempt=True)
        return replace(live_job, job=replace(live_job.job, options=options))

    def decide(self, snapshot: Snapshot) -> JudgedPlan:
        """Plans the snapshot with the configuration that `observe` read."""
        check = self._services.launch_check(self._configuration, self._requests.requests_of)
        return self._plans.make(snapshot, check, self._services.clock.now())
