"""Stores unmanaged training jobs in memory: jobs to check, jobs to watch, and the findings about them."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob, WatchedJob


@dataclass
class MemoryUnmanagedJobStore:
    unchecked_jobs: dict[str, UnmanagedJob] = field(default_factory=dict)
    watched_jobs: dict[str, WatchedJob] = field(default_factory=dict)
    recorded_findings: dict[str, Finding] = field(default_factory=dict)

    def add_unchecked(self, job: UnmanagedJob, *, by: str) -> None:  # noqa: ARG002 - it wakes no function
        self.unchecked_jobs.setdefault(job.name, job)

    def unchecked(self) -> tuple[UnmanagedJob, ...]:
        return tuple(job for _, job in sorted(self.unchecked_jobs.items()))

    def check_later(self, job: UnmanagedJob, tried_at: datetime) -> None:
        self.unchecked_jobs[job.name] = replace(job, tried_at=tried_at)

    def watch(self, job: WatchedJob) -> None:
        known = self.watched_jobs.get(job.name)
        if known is None or known.created_at != job.created_at:
            self.watched_jobs[job.name] = job

    def save_watched(self, job: WatchedJob) -> None:
        self.watched_jobs[job.name] = job

    def watched(self) -> tuple[WatchedJob, ...]:
        return tuple(job for _, job in sorted(self.watched_jobs.items()))

    def unwatch(self, name: str) -> None:
        self.watched_jobs.pop(name, None)

    def record_finding(self, finding: Finding) -> bool:
        key = f"{finding.created_at.isoformat()}#{finding.name}#{finding.kind}#{finding.stopped}"
        is_new = key not in self.recorded_findings
        self.recorded_findings.setdefault(key, finding)
        return is_new

    def mark_checked(self, job: UnmanagedJob) -> None:
        self.unchecked_jobs.pop(job.name, None)

    def findings(self, limit: int) -> tuple[Finding, ...]:
        return tuple(self.recorded_findings[key] for key in sorted(self.recorded_findings, reverse=True)[:limit])
