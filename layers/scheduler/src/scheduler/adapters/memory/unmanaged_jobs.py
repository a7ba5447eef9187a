"""Training jobs that went round the queue, in memory."""

from attrs import define, field

from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob


@define(slots=False)
class MemoryUnmanagedJobStore:
    noted: dict[str, UnmanagedJob] = field(factory=dict)
    found: dict[str, Finding] = field(factory=dict)

    def note(self, job: UnmanagedJob, *, by: str) -> None:  # noqa: ARG002 - nobody is woken from here
        self.noted.setdefault(job.name, job)

    def unchecked(self) -> tuple[UnmanagedJob, ...]:
        return tuple(job for _, job in sorted(self.noted.items()))

    def record(self, finding: Finding) -> bool:
        key = f"{finding.created_at.isoformat()}#{finding.name}"
        is_new = key not in self.found
        self.found.setdefault(key, finding)
        return is_new

    def settle(self, job: UnmanagedJob) -> None:
        self.noted.pop(job.name, None)

    def findings(self, limit: int) -> tuple[Finding, ...]:
        return tuple(self.found[key] for key in sorted(self.found, reverse=True)[:limit])
