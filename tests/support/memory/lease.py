"""Keeps the cycle's lease in memory."""

from dataclasses import replace
from datetime import datetime, timedelta

from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseHeld
from scheduler.ports.job_store import SCHEDULE, UNFINISHED
from support.memory.records import MemoryRecords


class MemoryLease(MemoryRecords):
    """Implements the port `LeaseStore`."""

    def acquire_lease(self, now: datetime, seconds: int, *, sweep: bool = False) -> Lease:
        self.wake_requests += 1
        self.woken_at = self.woken_at if sweep else now
        if self.lease_expires_at is not None and now < self.lease_expires_at:
            self.sweep_due |= sweep
            raise LeaseHeld(f"until {self.lease_expires_at.isoformat()}")
        self.fence += 1
        self.last_idle_until = None
        self.lease_expires_at = now + timedelta(seconds=seconds)
        return Lease(
            self.fence,
            self.wake_requests,
            self.lease_expires_at,
            self.rate_limits,
            self.swept_until,
            self.judged_queue,
            self.sweep_due,
            woken_at=self.woken_at,
            parked_token=self.parked_token,
            successors_token=self.successors_token,
            arrays_token=self.arrays_token,
        )

    def release_lease(self, lease: Lease, *, wakes_again: bool = False) -> Lease | None:
        self._check_fence(lease)
        if self.wake_requests != lease.wake_requests:
            return replace(lease, wake_requests=self.wake_requests, sweep_due=self.sweep_due, woken_at=self.woken_at)
        self.lease_expires_at, self.rate_limits, self.swept_until = None, lease.rate_limits, lease.swept_until
        self.sweep_due, self.successors_token = lease.sweep_due, lease.successors_token
        self.parked_token, self.arrays_token = lease.parked_token, lease.arrays_token
        self._wake(UNFINISHED if wakes_again else SCHEDULE)
        self.judged_queue, self.last_idle_until = lease.judged_queue, lease.idle_until
        return None

    def idle_until(self) -> datetime | None:
        return self.last_idle_until
