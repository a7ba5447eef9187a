"""One scheduling cycle: observe, decide, carry out, under a lease.

The table is written before SageMaker is called, so a cycle that dies anywhere leaves behind what the next one needs:
an attempt that is not confirmed is created again under the same name, a job in `stopping` is stopped again, and an
attempt keeps its budget until SageMaker says that it is over.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from scheduler.domain.attempt import Attempt, attempt_name
from scheduler.domain.budget import Budget
from scheduler.domain.job import JobState
from scheduler.domain.plan import Launch, Park, Preempt
from scheduler.domain.snapshot import LiveJob, Snapshot
from scheduler.errors import OutcomeUnknown, OverBudget, StaleJob, Throttled
from scheduler.policy import transitions
from scheduler.policy.looks import due_for_a_look
from scheduler.policy.planning import plan
from scheduler.ports import Clock, JobStore, Lease, LeaseStore, TrainingService
from scheduler.upkeep import Upkeep

logger = logging.getLogger(__name__)
_Entry = TypeVar("_Entry")

#: A lease outlives the function that took it (its timeout is 60 s), so that two cycles never overlap by plan.
LEASE_SECONDS = 90
#: How many queued jobs one pass looks at: its cost must not grow with the backlog.
CANDIDATES = 200
#: Passes of one cycle; more is left to the next one.
MAX_PASSES = 20


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Runs cycles. Everything it touches comes in from outside, the clock included."""

    store: JobStore
    leases: LeaseStore
    training: TrainingService
    clock: Clock
    budget: Budget
    name_mark: str

    def run_cycle(self, time_left: timedelta, *, sweep: bool) -> bool:
        """Bring the queue as far as it goes now; False if time ran out and another cycle should follow at once.

        `sweep` also asks SageMaker about attempts of which no event came. Raises LeaseHeld if another cycle is at
        work; that one will run again.
        """
        now = self.clock.now()
        lease: Lease | None = self.leases.take(now, LEASE_SECONDS)
        while lease is not None:
            cycle = _Cycle(self, lease, now + time_left, sweep=sweep)
            if not cycle.is_out_of_time():
                cycle.pass_over_queue()
            lease = self.leases.give_back(lease)
        return not cycle.is_out_of_time()


class _Cycle:
    def __init__(self, scheduler: Scheduler, lease: Lease, deadline: datetime, *, sweep: bool) -> None:
        self._s = scheduler
        self._lease = lease
        self._deadline = deadline
        self._sweep = sweep
        self._upkeep = Upkeep(scheduler.store, scheduler.training, scheduler.clock, lease)

    def is_out_of_time(self) -> bool:
        return self._s.clock.now() >= self._deadline

    def pass_over_queue(self) -> None:
        for _ in range(MAX_PASSES):
            found_unconfirmed = self._bring_attempts_forward()
            started = self._start_and_preempt()
            if self.is_out_of_time() or not (found_unconfirmed or started):
                return

    def _bring_attempts_forward(self) -> bool:
        """Take the next step with each live attempt; tells whether some may be ready for another one."""
        live = self._s.store.live()
        looks = {one.attempt.name for one in due_for_a_look(live, self._s.clock.now(), sweep=self._sweep)}
        for one in live:
            if not one.attempt.created:
                self._try(self._upkeep.create, one)
            elif one.job.state is JobState.STOPPING and not one.attempt.stop_sent:
                self._try(self._upkeep.stop, one)
            elif one.attempt.name in looks:
                self._try(self._upkeep.look, one)
        return not all(one.attempt.created for one in live)

    def _start_and_preempt(self) -> bool:
        """Carry out a plan; tells whether another pass could do more."""
        snapshot = self._observe()
        decided = plan(snapshot)
        went_well = [self._try(self._launch, entry) for entry in decided.launches]
        went_well += [self._try(self._preempt, entry) for entry in decided.preemptions]
        went_well += [self._try(self._park, entry) for entry in decided.parks]
        saw_all = len(snapshot.queued) < CANDIDATES
        return not decided.is_idle and not (saw_all and all(went_well))

    def _observe(self) -> Snapshot:
        live = self._s.store.live()
        live_names = {one.job.name for one in live}
        # The index may lag and still show a job that was launched a moment ago.
        queued = tuple(job for job in self._s.store.queued(CANDIDATES) if job.name not in live_names)
        return Snapshot(self._s.budget, live, queued)

    def _launch(self, entry: Launch) -> None:
        now = self._s.clock.now()
        job = transitions.launching(entry.job, entry.reason, now)
        name = attempt_name(job.name, self._s.name_mark, job.attempts)
        attempt = Attempt(name, job.name, job.attempts, job.demand, reserved_at=now)
        job = self._s.store.launch(job, attempt, self._s.budget, self._lease)
        logger.info("launch", extra={"job": job.name, "attempt": name, "reason": entry.reason.code.value})
        self._upkeep.create(LiveJob(job, attempt))

    def _preempt(self, entry: Preempt) -> None:
        victim, beneficiary = entry.victim, entry.beneficiary
        job = transitions.stopping_for(victim.job, beneficiary, entry.reason, self._s.clock.now())
        job = self._s.store.update_attempt(job, victim.attempt, self._lease)
        logger.info("preempt", extra={"job": job.name, "beneficiary": beneficiary.name})
        self._upkeep.stop(LiveJob(job, victim.attempt))

    def _park(self, entry: Park) -> None:
        job = self._s.store.save(transitions.parked(entry.job, entry.reason, self._s.clock.now()), by="schedule")
        logger.warning("park", extra={"job": job.name, "reason": entry.reason.code.value})

    def _try(self, step: Callable[[_Entry], None], entry: _Entry) -> bool:
        """Take one step; what cannot be done at the moment is left to a later pass or cycle."""
        if self.is_out_of_time():
            return False
        try:
            step(entry)
        except (Throttled, OutcomeUnknown, StaleJob, OverBudget) as error:
            logger.info("postponed", extra={"step": step.__name__, "cause": type(error).__name__})
            return False
        return True
