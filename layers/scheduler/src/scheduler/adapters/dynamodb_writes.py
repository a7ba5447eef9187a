"""The writes of jobs and attempts: what each one changes, on which condition, and what a failed condition means."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb_items import (
    attempt_item,
    attempt_key,
    attribute_values,
    census_item,
    job_item,
    pool_item,
    pool_key,
    request_item,
    sighting_values,
    token_item,
)
from scheduler.adapters.dynamodb_table import Write
from scheduler.domain.attempt import TERMINAL_STATUSES
from scheduler.errors import StaleJob
from scheduler.refusals import NameTaken, TokenReused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb.type_defs import DeleteTypeDef, PutTypeDef, UpdateItemInputTypeDef, UpdateTypeDef

    from scheduler.adapters.dynamodb_items import Item
    from scheduler.adapters.dynamodb_table import Refusal
    from scheduler.domain.attempt import Attempt, Sighting
    from scheduler.domain.census import Census
    from scheduler.domain.job import Job

SCHEDULE = "schedule"
SUBMIT = "submit"  # beside a job's record, which wakes the scheduler by itself
_TERMINAL_VALUES = {f":{status}": status for status in sorted(TERMINAL_STATUSES)}


def add_job(table: str, job: Job) -> Write:
    return _add(table, job_item(job, changed_by="api"), _name_taken(job))


def add_request(table: str, job: Job, body: Mapping[str, object]) -> Write:
    return _add(table, request_item(job.name, body, changed_by="api"), _name_taken(job))


def add_token(table: str, job: Job, token: str) -> Write:
    return _add(table, token_item(job.hand, token, job.name, changed_by=SUBMIT), lambda _: TokenReused())


def replacement(table: str, job: Job, *, by: str) -> PutTypeDef:
    """The job with its next version, on condition that it replaces the version it was made from."""
    unchanged = "#version = :version"
    return {
        "TableName": table,
        "Item": job_item(replace(job, version=job.version + 1), changed_by=by),
        "ConditionExpression": unchanged,
        "ExpressionAttributeNames": {"#version": "version"},
        "ExpressionAttributeValues": attribute_values({":version": job.version}),
    }


def rewrite_job(table: str, job: Job) -> Write:
    return Write({"Put": replacement(table, job, by=SCHEDULE)}, _stale(job))


def rewrite_waiting_job(table: str, job: Job) -> Write:
    put = replacement(table, job, by=SCHEDULE)
    waits = "attribute_exists(line_sk)"
    put["ConditionExpression"] = f"{put['ConditionExpression']} AND {waits}"
    return Write({"Put": put}, _stale(job))


def add_attempt(table: str, job: Job, attempt: Attempt) -> Write:
    return _add(table, attempt_item(attempt, changed_by=SCHEDULE), _stale(job))


def mark_attempt(table: str, job: Job, attempt: Attempt) -> Write:
    """Only what is the cycle's own, so that a sighting that comes in between is neither lost nor in the way."""
    marks = {":created": attempt.created, ":stop_sent": attempt.stop_sent, ":by": SCHEDULE}
    update: UpdateTypeDef = {
        "TableName": table,
        "Key": attempt_key(attempt.name),
        "UpdateExpression": "SET created = :created, stop_sent = :stop_sent, changed_by = :by",
        "ConditionExpression": "attribute_exists(pk)",
        "ExpressionAttributeValues": attribute_values(marks),
    }
    return Write({"Update": update}, _stale(job))


def remove_attempt(table: str, job: Job, attempt: Attempt) -> Write:
    present = "attribute_exists(pk)"
    key = attempt_key(attempt.name)
    return Write({"Delete": {"TableName": table, "Key": key, "ConditionExpression": present}}, _stale(job))


def add_pool(table: str, job: Job, attempt: Attempt) -> Write:
    return _add(table, pool_item(attempt, changed_by=SCHEDULE), _stale(job))


def remove_pool(table: str, pool: Attempt) -> Write:
    present = "attribute_exists(pk)"
    delete: DeleteTypeDef = {"TableName": table, "Key": pool_key(pool.name), "ConditionExpression": present}
    return Write({"Delete": delete}, lambda _: StaleJob(pool.name))


def put_census(table: str, census: Census) -> Write:
    """Without a condition of its own: it goes with a check of the lease."""
    put: PutTypeDef = {"TableName": table, "Item": census_item(census, changed_by=SCHEDULE)}
    return Write({"Put": put}, lambda _: StaleJob("the census"))


def sighting_update(table: str, attempt_name: str, sighting: Sighting, *, by: str) -> UpdateItemInputTypeDef:
    """Keep the sighting if the attempt is live and this is news: `Sighting.supersedes`, as a condition."""
    live = "attribute_exists(pk)"
    unseen = "attribute_not_exists(sighting)"
    older = "sighting.modified_at < :modified_at"
    not_ended = f"NOT sighting.#status IN ({', '.join(_TERMINAL_VALUES)})"
    common: UpdateItemInputTypeDef = {
        "TableName": table,
        "Key": attempt_key(attempt_name),
        "ExpressionAttributeNames": {"#status": "status"},
    }
    seen = sighting_values(sighting)
    values = {":sighting": seen, ":modified_at": seen["modified_at"], ":by": by} | _TERMINAL_VALUES
    change = "SET changed_by = :by, sighting = :sighting"
    if sighting.is_terminal:
        return common | {
            "UpdateExpression": f"{change}, needs_look = :true",
            "ConditionExpression": f"{live} AND ({unseen} OR {older} OR {not_ended})",
            "ExpressionAttributeValues": attribute_values(values | {":true": True}),
        }
    return common | {
        "UpdateExpression": change,
        "ConditionExpression": f"{live} AND ({unseen} OR ({older} AND {not_ended}))",
        "ExpressionAttributeValues": attribute_values(values),
    }


def _add(table: str, item: Item, refusal: Refusal) -> Write:
    absent = "attribute_not_exists(pk)"
    return Write({"Put": {"TableName": table, "Item": item, "ConditionExpression": absent}}, refusal)


def _name_taken(job: Job) -> Refusal:
    return lambda _: NameTaken(job.name)


def _stale(job: Job) -> Refusal:
    return lambda _: StaleJob(f"{job.name}, version {job.version}")
