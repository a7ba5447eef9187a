"""The lease of the cycle in memory."""

from dataclasses import replace
from datetime import datetime, timedelta

from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseHeld
from support.memory.records import MemoryRecords


class MemoryLease(MemoryRecords):
    """A LeaseStore."""

    def acquire_lease(self, now: datetime, seconds: int) -> Lease:
        self.wake_requests += 1
        if self.lease_expires_at is not None and now < self.lease_expires_at:
            raise LeaseHeld(f"until {self.lease_expires_at.isoformat()}")
        self.fence += 1
        self.lease_expires_at = now + timedelta(seconds=seconds)
        return Lease(self.fence, self.wake_requests, self.lease_expires_at, self.rate_limits, self.swept_until)

    def release_lease(self, lease: Lease) -> Lease | None:
        self._check_fence(lease)
        if self.wake_requests != lease.wake_requests:
            return replace(lease, wake_requests=self.wake_requests)
        self.lease_expires_at, self.rate_limits, self.swept_until = None, lease.rate_limits, lease.swept_until
        return None
