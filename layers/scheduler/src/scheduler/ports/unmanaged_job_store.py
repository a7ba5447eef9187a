"""The store of unmanaged training jobs, started outside the queue."""

from typing import Protocol

from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob


class UnmanagedJobStore(Protocol):
    """Unmanaged training jobs to check, and the findings about them."""

    def add_unchecked(self, job: UnmanagedJob, *, by: str) -> None:
        """Adds a training job to check. `by` is as in `JobStore.save`."""

    def unchecked(self) -> tuple[UnmanagedJob, ...]:
        """Returns the training jobs that no cycle has checked. Consistent."""

    def record_finding(self, finding: Finding) -> bool:
        """Records the finding. Returns whether it is the first about this training job."""

    def mark_checked(self, job: UnmanagedJob) -> None:
        """Removes a training job that was checked."""

    def findings(self, limit: int) -> tuple[Finding, ...]:
        """Returns the findings, the newest first."""
