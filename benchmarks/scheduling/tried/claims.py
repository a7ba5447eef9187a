"""Defines rejected rules about waiting jobs: which claimed jobs and free instances are kept for them."""

from collections.abc import Iterable
from datetime import UTC, datetime

from benchmarks.scheduling.tried import Change
from scheduler.core.jobs.job import Job
from scheduler.core.planner import plan_draft
from scheduler.core.planner.placement.capacity_ledger import CapacityLedger
from scheduler.core.planner.placement.reservations import BackfillReservation, Precedence
from scheduler.core.planner.preemption import has_run_out_of_patience
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.warm_pool import WarmPool


def _kept_from_equals(self: CapacityLedger, job: Job, precedence: Precedence) -> set[str]:
    """Keeps claimed jobs from all jobs but wider ones and those of higher rank."""
    claims = (found.claim for found in self._reservations_beside(job) if found.claim)
    return {name for claim in claims if claim.precedence >= precedence for name in claim.names}


def _kept_from_equals_after_patience(self: CapacityLedger, job: Job, precedence: Precedence) -> set[str]:
    """Keeps claimed jobs also from equal jobs, if the patience of the job with the claim has ended."""
    now, policy = datetime.fromtimestamp(self._now, UTC), self._snapshot.policy
    firm = (found for found in self._reservations_beside(job) if has_run_out_of_patience(found.job, policy, now))
    claims = (found.claim for found in firm if found.claim)
    equal = {name for claim in claims if claim.precedence == precedence for name in claim.names}
    return equal | _CLAIMED(self, job, precedence)


class _KeepsExpectedPlaces(CapacityLedger):
    """Keeps free instances for a job that preempts no job, because it is expected to fit soon with them."""

    def __init__(self, snapshot: Snapshot, now: float) -> None:
        super().__init__(snapshot, now)
        self._places: list[BackfillReservation] = []

    def fits_within_patience(self, job: Job, pools: Iterable[WarmPool]) -> bool:
        if not super().fits_within_patience(job, pools):
            return False
        free, soon = self.projected.copy(), self._now + self._snapshot.policy.of(job).patience
        for reservation in self._reservations_beside(job):
            free.take_for(reservation.job)
        for live, ends_at in self._expected_ends:
            if ends_at <= soon and live.job.name not in self._stopped:
                free.give(live.attempt.demand)
        free.take_for(job)
        self._places.append(BackfillReservation(job, (False, job.options.priority), soon, free))
        return True

    def _delays_no_reservation(self, job: Job) -> bool:
        ends = self._now + job.spec.max_runtime
        return super()._delays_no_reservation(job) and all(place.may_be_passed(job, ends) for place in self._places)

    def start(self, job: Job, pool: WarmPool | None) -> None:
        super().start(job, pool)
        for place in self._places:
            if self._now + job.spec.max_runtime > place.start:
                place.spare.take_for(job)


_CLAIMED = CapacityLedger.claimed_ahead_of

CLAIMS = {
    "claims: equal jobs must not take claimed jobs from a job whose patience has ended": (
        Change(CapacityLedger, "claimed_ahead_of", _kept_from_equals_after_patience),
    ),
    "claims: only wider jobs and jobs of higher rank may take claimed jobs": (
        Change(CapacityLedger, "claimed_ahead_of", _kept_from_equals),
    ),
    "free instances are kept for a job that is expected to fit soon": (
        Change(plan_draft, "CapacityLedger", _KeepsExpectedPlaces),
    ),
}
