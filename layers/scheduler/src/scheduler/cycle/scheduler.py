"""One scheduling cycle: observe, decide, carry out, under a lease.

The table is written before SageMaker is called, so a cycle that dies anywhere leaves behind what the next one needs:
an attempt that is not confirmed is created again under the same name, a job in `stopping` is stopped again, and an
attempt keeps its budget until SageMaker says that it is over.
"""

import logging
from collections.abc import Collection, Sequence, Set
from datetime import datetime, timedelta

from attrs import evolve, frozen

from scheduler.admission.admission import Admission
from scheduler.core.jobs.demand import total
from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.planning import plan
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.polling import (
    announced,
    drawn,
    due_in_sweep,
    for_list_polling,
    pools_to_poll,
    swept,
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

#: A lease outlives the function that took it (its timeout is 60 s), so that two cycles never overlap by plan.
LEASE_SECONDS = 90
#: Passes of one cycle; more is left to the next one.
MAX_PASSES = 20


@frozen
class Scheduler:
    """Runs cycles. Everything it touches comes in from outside, the clock included."""

    snapshot_reader: SnapshotReader
    store: JobStore
    leases: LeaseStore
    training: RateLimitedTrainingService
    clock: Clock
    name_mark: str
    admission: Admission
    guard: UnmanagedJobs
    notifier: Notifier
    logs: TrainingLogs
    memory: LiveJobCache
    spending: SpendingReader

    def run_cycle(self, time_left: timedelta, *, sweep: bool, changed: Collection[str] = ()) -> bool:
        """Bring the queue as far as it goes now; False if there is more to do and another cycle should follow at once.

        `sweep` also asks SageMaker about attempts of which no event came. `changed` are jobs that others are known to
        have changed. Raises LeaseHeld if another cycle is at work; that one will run again.
        """
        self.memory.forget(changed)
        now = self.clock.now()
        lease = self.leases.take(now, LEASE_SECONDS)
        # Only the holder calls SageMaker: what one holder after the other has used of its rates goes with the lease.
        self.training.rate_limits = lease.rate_limits
        while True:
            cycle = _Cycle(self, lease, now + time_left, sweep=sweep)
            finished = self._pass_or_let_go(cycle, lease)
            lease = evolve(lease, swept_until=cycle.swept_until)
            still_held = self._give_back(lease)
            if still_held is None:
                return finished
            lease, sweep = still_held, False
            self.memory.forget_all()  # whoever knocked did not say what has changed

    def _pass_or_let_go(self, cycle: "_Cycle", lease: Lease) -> bool:
        try:
            return cycle.pass_over_queue()
        except Exception:
            # So that Lambda's repeat of this call finds the lease free, and not only the sweep after next.
            still_held: Lease | None = lease
            while still_held is not None:
                still_held = self._give_back(still_held)
            raise

    def _give_back(self, lease: Lease) -> Lease | None:
        return self.leases.give_back(evolve(lease, rate_limits=self.training.rate_limits))


class _Cycle:
    def __init__(self, scheduler: Scheduler, lease: Lease, deadline: datetime, *, sweep: bool) -> None:
        self._s = scheduler
        self._lease = lease
        self._sweep = sweep
        self._book = LiveJobs(scheduler.store, lease, scheduler.memory)
        self._steps = Steps(scheduler.clock, deadline, self._book)
        self._capacity = CapacityTracker(
            scheduler.store, scheduler.admission, scheduler.clock, lease, scheduler.snapshot_reader
        )
        self.swept_until = lease.swept_until
        spent = SpendingRecorder(scheduler.spending)
        self._upkeep = Attempts(
            scheduler.store,
            scheduler.training,
            scheduler.clock,
            scheduler.snapshot_reader.policy,
            scheduler.notifier,
            Retries(scheduler.store, scheduler.admission, scheduler.logs),
            lease,
            self._book,
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
            scheduler.guard,
            scheduler.memory,
        )
        self._pools = WarmPools(scheduler.store, scheduler.training, scheduler.clock, lease, self._book, spent)
        self._parked = Unparking(scheduler.snapshot_reader)
        self._executor = PlanExecutor(
            scheduler.store,
            scheduler.clock,
            scheduler.name_mark,
            scheduler.admission,
            lease,
            self._book,
            self._upkeep,
            self._pools,
            self._steps,
        )

    def pass_over_queue(self) -> bool:
        """Tells whether nothing is left to do now."""
        self._reconciliation.take(self._steps.deadline)
        if self._sweep:
            self._recount()
            self._look_around()
            self._look_at_pools()
            for job in self._parked.with_room():
                self._steps.take(self._parked.unpark, job)
        for foreign in self._s.guard.unchecked():
            self._steps.take(self._s.guard.check, foreign)
        was_misled = False
        for _ in range(MAX_PASSES):
            if self._steps.is_out_of_time():
                return False
            confirmed_some = self._bring_attempts_forward()
            did_some = self._start_and_preempt()
            # A write that was refused because what was remembered is old is tried once more: its event may be used up.
            is_misled = self._book.was_forgotten and not was_misled
            was_misled = self._book.was_forgotten
            if not (confirmed_some or did_some or is_misled):
                return not self._steps.is_out_of_time()
        return False

    def _recount(self) -> None:
        holding = [*(one.attempt for one in self._book.live()), *self._s.store.pools()]
        if not all(attempt.is_readable for attempt in holding):
            return  # what they hold is known to the counts alone
        if self._s.store.recount(total(attempt.demand for attempt in holding), self._lease):
            logger.error("recount", extra={"cause": "the ledger did not say what live attempts hold"})

    def _look_around(self) -> None:
        """Ask about attempts of which no event came. Whose turn is missed now has it again in the next sweep."""
        now, live = self._s.clock.now(), [one for one in self._book.live() if one.is_readable]
        due = due_in_sweep(live, self.swept_until, now)
        present = self._call_the_roll(for_list_polling(due, now))
        turns = drawn([one for one in due if one.attempt.name not in present], now, self._lease.fence)
        asked = {one.attempt.name for one in turns if self._steps.take(self._upkeep.look, one)}
        self.swept_until = swept([one for one in due if one.attempt.name not in present | asked], now)

    def _call_the_roll(self, attempts: Sequence[LiveJob]) -> Set[str]:
        roll_call = ListPolling(self._s.training, self._s.name_mark)
        if attempts:
            self._steps.take(roll_call.call, attempts)
        return roll_call.present

    def _look_at_pools(self) -> None:
        for pool in pools_to_poll(self._s.store.pools(), self._lease.fence):
            self._steps.take(self._pools.look, pool)

    def _bring_attempts_forward(self) -> bool:
        """Take the next step with each live attempt; tells whether some are ready for another one."""
        # What cannot be read keeps its budget until somebody repairs it.
        live = [one for one in self._book.live() if one.is_readable]
        looks = {one.attempt.name for one in announced(live)}
        confirmed_some = False
        for one in live:
            if not one.attempt.created:
                confirmed_some |= self._steps.take(self._create_again, one)
            elif one.job.state is JobState.STOPPING and not one.attempt.stop_sent:
                self._steps.take(self._upkeep.stop, one)
            elif one.attempt.name in looks:
                self._steps.take(self._upkeep.look, one)
        return confirmed_some

    def _create_again(self, live: LiveJob) -> None:
        sent = self._upkeep.note_sent(live, self._s.clock.now())
        # That write may have stood still until the lease was another's, or its patience with this Create was over.
        if not self._steps.is_out_of_time():
            self._upkeep.create_again(sent, sent_before=live.attempt.last_sent_at)

    def _start_and_preempt(self) -> bool:
        """Carry out a plan; tells whether anything was done, for then there may be more."""
        live = self._book.live()
        snapshot = self._s.snapshot_reader.observe(
            self._executor.set_aside, live, self._capacity.after(live), self._reconciliation.reconciliation_state
        )
        decided = plan(evolve(snapshot, closed_choices=frozenset(self._executor.closed)), self._s.clock.now())
        budget = snapshot.budget.beside(snapshot.held_by_others)  # as it was when the plan was made
        return self._executor.carry_out(decided, budget)
