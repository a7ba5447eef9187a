"""The store of the lease, which lets one cycle run at a time."""

from datetime import datetime
from typing import Protocol

from scheduler.core.reconciliation.lease import Lease


class LeaseStore(Protocol):
    def acquire_lease(self, now: datetime, seconds: int) -> Lease:
        """Returns the lease with the last rate limits. If it is held, records a wake request and raises LeaseHeld."""

    def release_lease(self, lease: Lease) -> Lease | None:
        """Releases the lease and returns None, unless a wake request arrived meanwhile. Raises LeaseLost.

        Then another cycle is due: returns the lease, still held, which knows the requests so far, to be released next.
        """
