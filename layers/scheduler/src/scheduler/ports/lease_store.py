"""Who may run a cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from scheduler.core.reconciliation.lease import Lease


class LeaseStore(Protocol):
    def acquire_lease(self, now: datetime, seconds: int) -> Lease:
        """Raises LeaseHeld while another holder's lease has not expired; the call is then remembered as a knock.

        its rate limits is the one that was given back last.
        """

    def release_lease(self, lease: Lease) -> Lease | None:
        """None once it is given back; a lease if somebody knocked meanwhile: still held, and another cycle is due.

        After that cycle, give back the lease that this call returned: it knows of the wake requests so far. Raises
        LeaseLost.
        """
