"""Jobs by name in the table, with their requests."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from secrets import token_hex

from scheduler.adapters.dynamodb.callbacks import add_callback
from scheduler.adapters.dynamodb.jobs.child_requests import ChildBodies, body_keys_of, key_text
from scheduler.adapters.dynamodb.records.items import readable_body, request_key, token_key
from scheduler.adapters.dynamodb.records.job_records import (
    IDLE_CHECK,
    digests_in,
    ended_attempts_key,
    job_item,
    job_key,
    readable_ended_attempt,
    readable_job,
)
from scheduler.adapters.dynamodb.records.record_converter import Item, converter, record
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, Write, put, update
from scheduler.core.history.callbacks.callback import Callback
from scheduler.core.jobs.job import NONCE_BYTES, Job
from scheduler.core.requests.predecessor_models import with_models
from scheduler.errors.internal import BodyUnavailable, StaleJob, UnknownJob
from scheduler.errors.refusals import NameTaken, TokenReused
from scheduler.errors.unreadable import UnreadableBody
from scheduler.ports.job_store import API, SCHEDULE
from scheduler.ports.training import TrainingRequest

SUBMIT = "submit"  # wakes no cycle: the job's record in the same transaction does


@dataclass(frozen=True, slots=True)
class DynamoDBJobStore:
    table: Table
    requests: S3Requests

    def submit(self, job: Job, *requests: TrainingRequest, callbacks: Sequence[Callback] = ()) -> None:
        taken = NameTaken(job.name)
        bodies = [self.requests.pack(job.name, request, choice) for choice, request in enumerate(requests)]
        sealed = replace(job, body_digests=tuple(body.digest for body in bodies), nonce=token_hex(NONCE_BYTES))
        writes = [put(job_item(sealed, changed_by=API), ABSENT, refusal=taken)]
        for choice, body in enumerate(bodies):
            writes.append(put(request_key(job.name, choice) | record(body.attributes, API), ABSENT, refusal=taken))
        if job.client_token is not None:
            token = token_key(job.owner_key, job.client_token) | record({"job_name": job.name}, SUBMIT)
            writes.append(put(token, ABSENT, refusal=TokenReused()))
        writes += map(add_callback, callbacks)
        self.table.transact(*writes)

    def name_for_token(self, owner_key: str, token: str) -> str | None:
        item = self.table.item(token_key(owner_key, token))
        return item["job_name"]["S"] if item else None

    def get(self, name: str) -> Job:
        item = self.table.item(job_key(name))
        if item is None:
            raise UnknownJob(name)
        return readable_job(item)

    def with_all_attempts(self, job: Job) -> Job:
        if not job.status.earlier.count:
            return job
        moved = map(readable_ended_attempt, self.table.partition(ended_attempts_key(job.name)))
        return job.with_all_attempts(ended for ended in moved if ended is not None)

    def request(self, name: str, choice: int = 0) -> dict[str, object]:
        keys = job_key(name), request_key(name, choice)
        items = {item["pk"]["S"]: item for item in self.table.items(keys)}
        job, request = (items.get(key["pk"]["S"]) for key in keys)
        if job is not None and "place" in job:
            return self._request_of_child(readable_job(job), choice)
        body = readable_body(self.requests, request, name, choice, digests_in(job))
        return with_models(body, readable_job(job)) if job else body

    def _request_of_child(self, child: Job, choice: int) -> dict[str, object]:
        (found,) = self.requests_of([child.as_choice(choice) if child.choices else child])
        if isinstance(found, UnreadableBody | BodyUnavailable):
            raise found
        return {**found}

    def requests_of(self, jobs: Sequence[Job]) -> list[TrainingRequest | UnreadableBody | BodyUnavailable]:
        keys = {key_text(key): key for job in jobs for key in _body_keys(job)}
        items = {key_text(item): item for item in self.table.items([*keys.values()])}
        children = ChildBodies(self.requests, items)
        return [self._body(items, children, job) for job in jobs]

    def save(self, job: Job, *, by: str) -> Job:
        return self._saved(job, rewrite_job(job, by=by))

    def save_idle_check(self, job: Job, *, by: str) -> Job:
        return self._saved(job, _change_by_idle_check(job, by))

    def _saved(self, job: Job, write: Write) -> Job:
        with suppress(self.table.client.exceptions.TransactionConflictException):
            if self.table.write(write):
                return written(job)
        raise stale(job)

    def _body(
        self, items: Mapping[str, Item], children: ChildBodies, job: Job
    ) -> TrainingRequest | UnreadableBody | BodyUnavailable:
        try:
            if job.place:
                return with_models(children.request_of(job, job.place), job)
            item = items.get(key_text(request_key(job.name, job.spec.choice)))
            body = readable_body(self.requests, item, job.name, job.spec.choice, job.body_digests)
            return with_models(body, job)
        except (UnreadableBody, BodyUnavailable) as error:
            return error


def _body_keys(job: Job) -> Sequence[Item]:
    return body_keys_of(job.place) if job.place else [request_key(job.name, job.spec.choice)]


def rewrite_job(job: Job, *, by: str = SCHEDULE, only_if: str = "#version = :version") -> Write:
    """Replaces the job with its next version if the stored version has not changed since the job was read."""
    item = job_item(written(job), changed_by=by)
    return put(item, only_if, {":version": job.version}, stale(job), {"#version": "version"})


def _change_by_idle_check(job: Job, by: str) -> Write:
    """Changes only the attributes in IDLE_CHECK.

    A live job's index keys do not depend on its state, so they stay as they are.
    """
    status = converter.unstructure(job.status)
    found = {name: status[name] for name in IDLE_CHECK if name in status}
    changes = {**found, "version": job.version + 1, "changed_by": by}
    expression = "SET " + ", ".join(f"#{name} = :{name}" for name in changes)
    if absent := [f"#{name}" for name in IDLE_CHECK if name not in found]:
        expression += " REMOVE " + ", ".join(absent)
    values = {f":{name}": value for name, value in changes.items()} | {":known": job.version}
    names = {f"#{name}": name for name in (*IDLE_CHECK, "version", "changed_by")}
    return update(job_key(job.name), expression, "#version = :known", values, stale(job), names)


def stale(job: Job) -> StaleJob:
    return StaleJob(f"{job.name}, version {job.version}")


def written(job: Job) -> Job:
    return replace(job, version=job.version + 1)
