"""Jobs by name in the table, with their requests."""

from contextlib import suppress
from dataclasses import dataclass, replace

from scheduler.adapters.dynamodb.records.items import readable_body, request_key, token_key
from scheduler.adapters.dynamodb.records.job_records import job_item, job_key, readable_job
from scheduler.adapters.dynamodb.records.record_converter import SCHEDULE, record
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, Write, put
from scheduler.core.jobs.job import Job
from scheduler.errors.internal import StaleJob, UnknownJob
from scheduler.errors.refusals import NameTaken, TokenReused
from scheduler.ports.training import TrainingRequest

SUBMIT = "submit"  # not a waking writer: the job's record in the same transaction wakes the scheduler


@dataclass(frozen=True, slots=True)
class DynamoDBJobStore:
    table: Table
    requests: S3Requests

    def submit(self, job: Job, *requests: TrainingRequest) -> None:
        taken = NameTaken(job.name)
        writes = [put(job_item(job, changed_by="api"), ABSENT, refusal=taken)]
        bodies = [self.requests.pack(job, request, choice) for choice, request in enumerate(requests)]
        for choice, body in enumerate(bodies):
            writes.append(put(request_key(job.name, choice) | record(body, "api"), ABSENT, refusal=taken))
        if job.client_token is not None:
            token = token_key(job.owner_key, job.client_token) | record({"job_name": job.name}, SUBMIT)
            writes.append(put(token, ABSENT, refusal=TokenReused()))
        self.table.transact(*writes)

    def name_for_token(self, owner_key: str, token: str) -> str | None:
        item = self.table.item(token_key(owner_key, token))
        return item["job_name"]["S"] if item else None

    def get(self, name: str) -> Job:
        item = self.table.item(job_key(name))
        if item is None:
            raise UnknownJob(name)
        return readable_job(item)

    def request(self, name: str, choice: int = 0) -> dict[str, object]:
        return readable_body(self.requests, self.table.item(request_key(name, choice)), name, choice)

    def save(self, job: Job, *, by: str) -> Job:
        with suppress(self.table.client.exceptions.TransactionConflictException):
            if self.table.write(rewrite_job(job, by=by)):
                return written(job)
        raise StaleJob(f"{job.name}, version {job.version}")


def rewrite_job(job: Job, *, by: str = SCHEDULE, only_if: str = "#version = :version") -> Write:
    """Replaces the job by its next version if the stored version is the one it was made from."""
    item = job_item(written(job), changed_by=by)
    return put(item, only_if, {":version": job.version}, stale(job), {"#version": "version"})


def stale(job: Job) -> StaleJob:
    return StaleJob(f"{job.name}, version {job.version}")


def written(job: Job) -> Job:
    return replace(job, version=job.version + 1)
