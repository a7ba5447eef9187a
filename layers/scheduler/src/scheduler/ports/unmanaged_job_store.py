"""Training jobs that nobody put into the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob


class UnmanagedJobStore(Protocol):
    """Training jobs that went round the queue."""

    def add_unchecked(self, job: UnmanagedJob, *, by: str) -> None:
        """Somebody should look at it. `by` is as in `JobStore.save`."""

    def unchecked(self) -> tuple[UnmanagedJob, ...]:
        """Those that nobody has looked at. Consistent."""

    def record_finding(self, finding: Finding) -> bool:
        """Keep what was found; tells whether it is the first finding about this training job."""

    def mark_checked(self, job: UnmanagedJob) -> None:
        """It was looked at."""

    def findings(self, limit: int) -> tuple[Finding, ...]:
        """What was found, the newest first."""
