"""Answers users' questions about jobs: one job with its request, less what they may not see, or a page of jobs."""

from dataclasses import dataclass

from scheduler.admission.admission import Admission
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import JobStore
from scheduler.queue.job_status import CurrentStatus, JobStatusReader, job_named

#: Members of a request that often hold keys and passwords.
_MAY_BE_SECRET = frozenset({"HyperParameters", "Environment"})


@dataclass(frozen=True, slots=True)
class Listing:
    job_statuses: tuple[CurrentStatus, ...]
    next_token: str | None
    budget: Budget
    held: Demand


@dataclass(frozen=True, slots=True)
class JobQueries:
    snapshot_reader: SnapshotReader
    jobs: JobStore
    index: JobIndex
    clock: Clock
    job_status_reader: JobStatusReader
    admission: Admission

    def get(self, name: str, caller: str) -> tuple[CurrentStatus, dict[str, object]]:
        """Returns the status and the request, without secrets for callers who may not control it. Raises UnknownJob."""
        job = job_named(self.jobs, name)
        request = self.jobs.request(name)
        if not self.admission.authorization.controlled_by(caller)(job.owner):
            request = {member: value for member, value in request.items() if member not in _MAY_BE_SECRET}
        return self.job_status_reader.of(job), request

    def list(self, job_filter: JobFilter, limit: int, token: str | None) -> Listing:
        """Returns a page of the jobs that match the filter. Raises BadRequest for a token of another list."""
        page = self.index.page(job_filter, limit, token, self.clock.now())
        snapshot = self.snapshot_reader.observe()
        job_statuses = self.job_status_reader.among(snapshot, page.jobs)
        return Listing(job_statuses, page.next_token, snapshot.budget, snapshot.held)
