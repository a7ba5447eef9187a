"""The store of the lease, which lets one cycle run at a time."""

from datetime import datetime
from typing import Protocol

from scheduler.core.reconciliation.lease import Lease


class LeaseStore(Protocol):
    def acquire_lease(self, now: datetime, seconds: int) -> Lease:
        """Returns the lease, with the rate limits that were released last.

        Raises LeaseHeld while another holder's lease has not expired; the call then counts as a wake request.
        """

    def release_lease(self, lease: Lease) -> Lease | None:
        """Releases the lease and returns None, unless a wake request arrived meanwhile.

        In that case it returns the lease, which is still held: another cycle is due, and then that returned lease must
        be released, because it knows the wake requests so far. Raises LeaseLost.
        """
