"""Answers users' questions about jobs: one job with the visible parts of its request, or a page of jobs."""

from collections.abc import Mapping
from dataclasses import dataclass

from scheduler.admission.admission import Admission
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.requests.alternatives import Alternative, alternatives_from
from scheduler.core.requests.attempt_request import with_time_limit
from scheduler.core.requests.redaction import shown_to_strangers
from scheduler.core.spending.spending_status import team_name
from scheduler.errors.internal import UnknownJob
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import JobStore
from scheduler.queue.children_to_come import ChildrenToCome
from scheduler.queue.job_status import CurrentStatus, JobStatusReader, job_named


@dataclass(frozen=True, slots=True)
class Listing:
    job_statuses: tuple[CurrentStatus, ...]
    next_token: str | None
    tokens: tuple[str, ...]  # one per job, to continue after it
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
    children_to_come: ChildrenToCome

    def get(self, name: str, caller: str) -> tuple[CurrentStatus, Mapping[str, object], tuple[Alternative, ...]]:
        """Returns the job's status, request and alternatives. Raises UnknownJob.

        Callers without control of the job see only a few members of its request, no alternatives, and no quoted texts.
        """
        try:
            job = self.jobs.with_all_attempts(job_named(self.jobs, name))
        except UnknownJob:
            return self._of_child_to_come(self.children_to_come.job(name), caller)
        specs, status = job.choices or (job.spec,), self.job_status_reader.of(job)
        request = with_time_limit(self.jobs.request(name), specs[0])
        if not self.admission.authorization.controlled_by(caller)(job.owner):
            return status.for_stranger(), shown_to_strangers(request), ()
        others = specs[1:]
        of_others = (with_time_limit(self.jobs.request(name, spec.choice), spec) for spec in others)
        requests = [request, *of_others]
        return status, request, alternatives_from(requests, [choice.wait_for_better for choice in others])

    def _of_child_to_come(
        self, child: Job, caller: str
    ) -> tuple[CurrentStatus, Mapping[str, object], tuple[Alternative, ...]]:
        requests = self.jobs.requests_of(child.each_choice)
        found = [request for request in requests if not isinstance(request, Exception)]
        for request in requests:
            if isinstance(request, Exception):
                raise request
        team = team_name(child, self.snapshot_reader.configuration.current().teams) or None
        status = CurrentStatus(child, None, None, child.status.reason, team)
        if not self.admission.authorization.controlled_by(caller)(child.owner):
            return status.for_stranger(), shown_to_strangers(found[0]), ()
        return status, found[0], alternatives_from(found, [choice.wait_for_better for choice in child.choices[1:]])

    def list(self, job_filter: JobFilter, limit: int, token: str | None, caller: str) -> Listing:
        """Returns a page of the jobs that match the filter. Raises BadRequest for a token from another list."""
        page = self.index.page(job_filter, limit, token, self.clock.now())
        snapshot = self.snapshot_reader.observe()
        is_controlled = self.admission.authorization.controlled_by(caller)
        job_statuses = tuple(
            status if is_controlled(status.job.owner) else status.for_stranger()
            for status in self.job_status_reader.among(snapshot, page.jobs)
        )
        return Listing(job_statuses, page.next_token, page.tokens, snapshot.budget, snapshot.held)
