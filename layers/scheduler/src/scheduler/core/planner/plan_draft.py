"""Collects the entries of a plan in progress, and updates the capacity ledger with each entry."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.placement.capacity_ledger import CapacityLedger
from scheduler.core.planner.plan import Evict, Grow, Launch, Park, Plan, Preempt, Reservation, Victim, Waits
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.warm_pool import WarmPool


class PlanDraft:
    def __init__(
        self, snapshot: Snapshot, now: datetime, preemptible: list[LiveJob], used_up_borrowers: Sequence[LiveJob] = ()
    ) -> None:
        self.preemptible = preemptible  # the jobs that may still be preempted, in the order in which they are stopped
        self.used_up_borrowers = list(used_up_borrowers)  # the jobs that only the owner of a quota may still preempt
        self.ledger = CapacityLedger(snapshot, now.timestamp())
        self._launches: list[Launch] = []
        self._preemptions: list[Preempt] = []
        self._evictions: list[Evict] = []
        self._growths: list[Grow] = []
        self._releases: list[WarmPool] = []
        self._waiting: list[Job] = []
        self._wait_reasons: list[Reason] = []  # one for each waiting job
        self._parks: list[Park] = []

    def launch(self, entry: Launch) -> None:
        self._launches.append(entry)
        self.ledger.start(entry.job, entry.pool)

    def preempt(self, victims: Iterable[Victim], job: Job) -> None:
        for live, kept in victims:
            is_used_up = live in self.used_up_borrowers
            if live.job.options.priority < job.options.priority and not is_used_up:
                cause = f"by {job.name} (priority {job.options.priority} over {live.job.options.priority})"
                reason = Reason(ReasonCode.OUTRANKED, f"preempted {cause}")
            else:
                cause = f"by {job.name}: the team of {job.name} takes back guaranteed instances"
                reason = Reason(ReasonCode.RECLAIMED, f"preempted {cause}")
            if kept != NOTHING:
                reason = Reason(ReasonCode.NARROWED, f"narrowed to {kept} {cause}")
            self._preemptions.append(Preempt(live, job, reason, kept))
            (self.used_up_borrowers if is_used_up else self.preemptible).remove(live)
            self.ledger.release_job(live, kept)

    def evict(self, victims: Iterable[LiveJob], reason: Reason) -> None:
        for victim in victims:
            self._evictions.append(Evict(victim, reason))
            self.ledger.release_job(victim)
            self.preemptible = [live for live in self.preemptible if live is not victim]
            self.used_up_borrowers = [live for live in self.used_up_borrowers if live is not victim]

    def is_evicted(self, job: Job) -> bool:
        return any(entry.victim.job.name == job.name for entry in self._evictions)

    def grow(self, entry: Grow) -> None:
        self._growths.append(entry)
        self.ledger.widen(entry.live, entry.wider)

    @property
    def waits(self) -> Waits:
        return Waits(self._waiting, self._wait_reasons)

    def release_pools(self, pools: Iterable[WarmPool]) -> None:
        for pool in pools:
            self._releases.append(pool)
            self.ledger.release_pool(pool)

    def wait(self, job: Job, reason: Reason) -> None:
        self._waiting.append(job)
        self._wait_reasons.append(reason)

    def park(self, job: Job, reason: Reason) -> None:
        self._parks.append(Park(job, reason))

    def finished(self, held_by_spending: Waits) -> Plan:
        reservations = self.ledger.reservations
        return Plan(
            tuple(self._launches),
            tuple(self._preemptions),
            tuple(self._evictions),
            tuple(self._growths),
            Waits((*self._waiting, *held_by_spending.jobs), (*self._wait_reasons, *held_by_spending.reasons)),
            tuple(self._parks),
            tuple(Reservation(reservation.job, reservation.starts_at) for reservation in reservations),
            tuple(self._releases),
        )
