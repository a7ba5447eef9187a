"""One scheduling cycle: observe, decide, carry out, under a lease.

The table is written before SageMaker is called, so a cycle that dies anywhere leaves behind what the next one needs:
an attempt that is not confirmed is created again under the same name, a job in `stopping` is stopped again, and an
attempt keeps its budget until SageMaker says that it is over.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import TypeVar

from scheduler.census_taker import CensusTaker
from scheduler.domain.action import QUEUE
from scheduler.domain.attempt import Attempt, attempt_name
from scheduler.domain.budget import Budget
from scheduler.domain.demand import total
from scheduler.domain.job import Job, JobState
from scheduler.domain.lease import Lease
from scheduler.domain.plan import Evict, Launch, Park, Preempt, Release
from scheduler.domain.reason import ReasonCode
from scheduler.domain.snapshot import LiveJob
from scheduler.errors import (
    BodyUnavailable,
    OutcomeUnknown,
    OverBudget,
    PoolStays,
    StaleJob,
    Throttled,
    TrainingServiceError,
)
from scheduler.foreign_guard import ForeignGuard
from scheduler.gate import Gate
from scheduler.live_book import LiveBook
from scheduler.observing import Observer
from scheduler.policy import transitions, wishes
from scheduler.policy.looks import announced, due_in_sweep, pools_due_for_a_look
from scheduler.policy.planning import plan
from scheduler.pool_keeper import PoolKeeper
from scheduler.ports import Clock, JobStore, LeaseStore, Notifier, PacedTrainingService, TrainingLogs
from scheduler.recovery_desk import RecoveryDesk
from scheduler.start_gate import StartGate
from scheduler.upkeep import Upkeep

logger = logging.getLogger(__name__)
_Entry = TypeVar("_Entry")

#: A lease outlives the function that took it (its timeout is 60 s), so that two cycles never overlap by plan.
LEASE_SECONDS = 90
#: Passes of one cycle; more is left to the next one.
MAX_PASSES = 20
#: Jobs that one sweep brings back; the next ones are the next sweep's.
MOST_UNPARKED = 100


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Runs cycles. Everything it touches comes in from outside, the clock included."""

    observer: Observer
    store: JobStore
    leases: LeaseStore
    training: PacedTrainingService
    clock: Clock
    name_mark: str
    gate: Gate
    guard: ForeignGuard
    notifier: Notifier
    logs: TrainingLogs

    def run_cycle(self, time_left: timedelta, *, sweep: bool) -> bool:
        """Bring the queue as far as it goes now; False if there is more to do and another cycle should follow at once.

        `sweep` also asks SageMaker about attempts of which no event came. Raises LeaseHeld if another cycle is at
        work; that one will run again.
        """
        now = self.clock.now()
        lease = self.leases.take(now, LEASE_SECONDS)
        # Only the holder calls SageMaker: what one holder after the other has used of its rates goes with the lease.
        self.training.pace = lease.pace
        while True:
            cycle = _Cycle(self, lease, now + time_left, sweep=sweep)
            finished = self._pass_or_let_go(cycle, lease)
            lease = replace(lease, swept_until=cycle.swept_until)
            still_held = self._give_back(lease)
            if still_held is None:
                return finished
            lease, sweep = still_held, False

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
        return self.leases.give_back(replace(lease, pace=self.training.pace))


class _Cycle:
    def __init__(self, scheduler: Scheduler, lease: Lease, deadline: datetime, *, sweep: bool) -> None:
        self._s = scheduler
        self._lease = lease
        self._deadline = deadline
        self._sweep = sweep
        self._book = LiveBook(scheduler.store)
        self.swept_until = lease.swept_until
        self._upkeep = Upkeep(
            scheduler.store,
            scheduler.training,
            scheduler.clock,
            scheduler.observer.policy,
            scheduler.notifier,
            RecoveryDesk(scheduler.store, scheduler.gate, scheduler.logs),
            lease,
            self._book,
        )
        self._census = CensusTaker(
            scheduler.store,
            scheduler.training,
            scheduler.clock,
            lease,
            scheduler.name_mark,
            scheduler.observer.scope,
            scheduler.guard,
        )
        self._pools = PoolKeeper(scheduler.store, scheduler.training, lease)
        self._budget: Budget  # as it was when the plan was made
        self._start_gate: StartGate
        # Jobs that SageMaker has no room for, or whose request cannot be fetched: not tried again in this cycle.
        self._set_aside: set[str] = set()

    def is_out_of_time(self) -> bool:
        return self._s.clock.now() >= self._deadline

    def pass_over_queue(self) -> bool:
        """Tells whether nothing is left to do now."""
        self._census.take(self._deadline)
        if self._sweep:
            self._recount()
            self._look_around()
            self._look_at_pools()
            self._look_at_parked()
        for foreign in self._s.guard.unchecked():
            self._try(self._s.guard.check, foreign)
        for _ in range(MAX_PASSES):
            if self.is_out_of_time():
                return False
            confirmed_some = self._bring_attempts_forward()
            did_some = self._start_and_preempt()
            if not (confirmed_some or did_some):
                return not self.is_out_of_time()
        return False

    def _recount(self) -> None:
        holding = [*(one.attempt for one in self._book.live()), *self._s.store.pools()]
        if not all(attempt.is_readable for attempt in holding):
            return  # what they hold is known to the counts alone
        if self._s.store.recount(total(attempt.demand for attempt in holding), self._lease):
            logger.error("recount", extra={"cause": "the ledger did not say what live attempts hold"})

    def _look_around(self) -> None:
        """Ask about attempts of which no event came. A turn that is missed now comes again in the next sweep."""
        now, live = self._s.clock.now(), [one for one in self._book.live() if one.is_readable]
        due = due_in_sweep(live, self.swept_until, now, self._lease.fence)
        asked = [self._try(self._upkeep.look, one) for one in due]
        if all(asked):
            self.swept_until = now

    def _look_at_pools(self) -> None:
        for pool in pools_due_for_a_look(self._s.store.pools(), self._lease.fence):
            self._try(self._pools.look, pool)

    def _look_at_parked(self) -> None:
        """An operator's budget or a deployment may have made room for jobs that nothing could run before."""
        if parked := self._s.store.parked_for(ReasonCode.EXCEEDS_BUDGET, MOST_UNPARKED):
            for job in self._s.observer.possible(parked):
                self._try(self._unpark, job)

    def _bring_attempts_forward(self) -> bool:
        """Take the next step with each live attempt; tells whether some are ready for another one."""
        # What cannot be read keeps its budget until somebody repairs it.
        live = [one for one in self._book.live() if one.is_readable]
        looks = {one.attempt.name for one in announced(live)}
        confirmed_some = False
        for one in live:
            if not one.attempt.created:
                confirmed_some |= self._try(self._upkeep.create_again, one)
            elif one.job.state is JobState.STOPPING and not one.attempt.stop_sent:
                self._try(self._upkeep.stop, one)
            elif one.attempt.name in looks:
                self._try(self._upkeep.look, one)
        return confirmed_some

    def _start_and_preempt(self) -> bool:
        """Carry out a plan; tells whether anything was done, for then there may be more."""
        snapshot = self._s.observer.observe(self._set_aside, self._book.live())
        decided = plan(snapshot, self._s.clock.now())
        self._budget = snapshot.budget.beside(snapshot.held_by_others)
        if decided.launches or decided.preemptions:
            self._start_gate = StartGate.now(self._s.gate, self._s.store, self._s.clock)
        done = [self._try(self._launch, launch) for launch in decided.launches]
        done += [self._try(self._release, release) for release in decided.releases]
        for _, preemptions in groupby(decided.preemptions, lambda entry: entry.beneficiary.name):
            done.append(self._try(self._make_way, [*preemptions]))
        done += [self._try(self._evict, eviction) for eviction in decided.evictions]
        done += [self._try(self._park, park) for park in decided.parks]
        return any(done)

    def _launch(self, entry: Launch) -> None:
        now = self._s.clock.now()
        if not self._may_start(entry.job):
            return
        job = transitions.launching(entry.job, entry.reason, now)
        name = attempt_name(job.name, self._s.name_mark, job.attempts)
        attempt = Attempt(name, job.name, job.attempts, job.demand, reserved_at=now)
        launched = LiveJob(self._s.store.launch(job, attempt, self._budget, self._lease), attempt)
        self._book.keep(launched)
        logger.info("launch", extra={"job": job.name, "attempt": name, "reason": entry.reason.code.value})
        self._try(self._create, launched)

    def _create(self, live: LiveJob) -> None:
        job = self._upkeep.create(live)
        if job.is_queued and job.reason.code is not ReasonCode.NAME_CLASH:  # the next name may be free
            self._set_aside.add(job.name)

    def _may_start(self, job: Job) -> bool:
        """Park it if the rules are against it; pass it over in this cycle if its request cannot be fetched now."""
        try:
            reason = self._start_gate.objection(job)
        except BodyUnavailable as error:
            self._set_aside.add(job.name)
            logger.info("postponed", extra={"step": "_may_start", "cause": type(error).__name__})
            return False
        if reason:
            self._park(Park(job, reason))
        return reason is None

    def _release(self, entry: Release) -> None:
        self._pools.release(entry.pool)
        if not self._try(self._pools.look, entry.pool):
            raise PoolStays(entry.pool.name)  # a later cycle goes on

    def _make_way(self, preemptions: Sequence[Preempt]) -> None:
        """All for one beneficiary. If somebody has changed a victim meanwhile, the next pass decides anew."""
        if self._may_start(preemptions[0].beneficiary):
            for entry in preemptions:
                self._preempt(entry)

    def _preempt(self, entry: Preempt) -> None:
        victim, beneficiary = entry.victim, entry.beneficiary
        job = transitions.stopping_for(victim.job, beneficiary, entry.reason, self._s.clock.now())
        stopping = self._update(job, victim.attempt)
        logger.info("preempt", extra={"job": job.name, "beneficiary": beneficiary.name})
        self._try(self._upkeep.stop, stopping)

    def _evict(self, entry: Evict) -> None:
        victim = entry.victim
        job = transitions.evicted(victim.job, entry.reason, self._s.clock.now())
        stopping = self._update(job, victim.attempt)
        logger.info("evict", extra={"job": job.name, "reason": entry.reason.code.value})
        self._try(self._upkeep.stop, stopping)

    def _update(self, job: Job, attempt: Attempt) -> LiveJob:
        updated = LiveJob(self._s.store.update_attempt(job, attempt, self._lease), attempt)
        self._book.keep(updated)
        return updated

    def _park(self, entry: Park) -> None:
        job = self._s.store.save(transitions.parked(entry.job, entry.reason, self._s.clock.now()), by="schedule")
        logger.warning("park", extra={"job": job.name, "reason": entry.reason.code.value})
        self._upkeep.announce(job)

    def _unpark(self, job: Job) -> None:
        self._s.store.save(wishes.unparked(job, QUEUE, self._s.clock.now()), by="schedule")
        logger.info("unpark", extra={"job": job.name})

    def _try(self, step: Callable[[_Entry], object], entry: _Entry) -> bool:
        """Take one step; what cannot be done now is left to a later pass or cycle, and holds nothing else up."""
        if self.is_out_of_time():
            return False
        try:
            step(entry)
        except (Throttled, OutcomeUnknown, StaleJob, OverBudget, PoolStays, BodyUnavailable) as error:
            if isinstance(error, (StaleJob, OverBudget)):
                self._book.forget()
            logger.info("postponed", extra={"step": step.__name__, "cause": type(error).__name__})
            return False
        except TrainingServiceError as error:
            logger.error("refused", extra={"step": step.__name__, "cause": type(error).__name__})  # noqa: TRY400 - its text may quote the request
            return False
        return True
