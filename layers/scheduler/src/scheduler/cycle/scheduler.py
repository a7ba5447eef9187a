"""Runs scheduling cycles: `Scheduler.run_cycle` shows what a cycle does, in which order, and why a crash is harmless.

The table is written before SageMaker is called. A cycle that crashes anywhere therefore leaves the records that the
next cycle needs: it creates an unconfirmed attempt again under the same name, it stops a job in `stopping` again, and
an attempt keeps its budget until SageMaker reports its end.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

from scheduler.core.planner.planning import plan
from scheduler.core.reconciliation.lease import Lease
from scheduler.cycle.collaborators import collaborators
from scheduler.cycle.reconcile.unmanaged_jobs import UnmanagedJobs
from scheduler.cycle.services import CycleServices

#: A lease outlives the function that acquired it (the function's timeout is 60 s), so that two cycles do not overlap.
LEASE_SECONDS = 90
#: The most passes of one cycle. The next cycle does the remaining work.
MAX_PASSES = 20


@dataclass(frozen=True, slots=True)
class Scheduler:
    services: CycleServices
    unmanaged_jobs: UnmanagedJobs

    def run_cycle(self, time_left: timedelta, *, sweep: bool, changed: Collection[str] = ()) -> bool:
        """Runs a cycle, and another one for each wake request. Returns whether all work is done that can be done now.

        A `sweep` also does step 3. `changed` names jobs that users or other functions changed. Raises LeaseHeld.
        """
        self.services.live_job_cache.forget(changed)
        deadline = self.services.clock.now() + time_left
        # 1. Take the lease. Another cycle finds it held and ends. After a crash it expires, and a sweep starts anew.
        lease: Lease | None = self._take_lease()
        while lease is not None:
            cycle = collaborators(self.services, self.unmanaged_jobs, lease, deadline)
            with self._giving_back_on_error(lease):
                # 2. Reconcile: adopt attempts that the records lost. Its position is saved last: a crash repeats a part.
                cycle.reconciliation.run(deadline)
                # 3. Sweep: poll what no event reported. `swept_until` is saved with the lease: a crash polls again.
                lease = replace(lease, swept_until=cycle.sweep.run()) if sweep else lease
                # 4. Check jobs that bypassed the queue. Each finding is written before its stop, and marked after it.
                self.unmanaged_jobs.check_next(cycle.steps)
                has_changed = True
                for _ in cycle.steps.in_time(range(MAX_PASSES)):
                    # 5. Follow attempts: create again what is unconfirmed, send recorded stops, settle reported ends.
                    has_changed = cycle.attempts.follow()
                    # 6. Observe. Reads, and saves only what it learned of shortages: a crash loses nothing.
                    snapshot = cycle.observe()
                    # 7. Plan. Changes nothing: after a crash the next cycle decides again.
                    decided, check = plan(snapshot, self.services.clock.now()), self.services.launch_check()
                    # 8. Launch: reserve in the table, then create. After a crash between, step 5 creates it again.
                    has_changed |= cycle.plan_executor.launch(decided.launches, snapshot, check)
                    # 9. Release warm pools. A pool holds its budget until SageMaker says it ended: asked for again.
                    has_changed |= cycle.plan_executor.release(decided.releases)
                    # 10. Preempt, evict: record `stopping`, then stop. After a crash between, step 5 sends the stop.
                    has_changed |= cycle.plan_executor.preempt(decided.preemptions, check)
                    has_changed |= cycle.plan_executor.evict(decided.evictions)
                    # 11. Park what cannot run. One write; a crash after it loses only the owner's notice.
                    has_changed |= cycle.plan_executor.park(decided.parks)
                    if not (cycle.live_jobs.found_first_stale_job() or has_changed):
                        break
            finished = not (has_changed or cycle.steps.is_out_of_time())
            # 12. Give the lease back, or keep it if a wake request arrived meanwhile: then a cycle without sweep follows.
            lease, sweep = self._give_back(lease), False
        return finished
