"""Builds the conditional writes of jobs and attempts, with the error to raise when a condition fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import Item, attribute_values
from scheduler.adapters.dynamodb.records.items import (
    SCHEDULE,
    attempt_item,
    attempt_key,
    capacity_item,
    job_item,
    observation_values,
    reconciliation_item,
    request_item,
    token_item,
)
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Refusal, Write
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.attempt import TERMINAL_STATUSES, Attempt, Observation
from scheduler.core.jobs.job import Job
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.errors.internal import StaleJob
from scheduler.errors.refusals import NameTaken, TokenReused

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import PutTypeDef, UpdateItemInputTypeDef, UpdateTypeDef

SUBMIT = "submit"  # not a waking writer: the job's record in the same transaction wakes the scheduler
_TERMINAL_VALUES = {f":{status}": status for status in sorted(TERMINAL_STATUSES)}


def add_job(table: str, job: Job) -> Write:
    return _add(table, job_item(job, changed_by="api"), _name_taken(job))


def add_request(table: str, job: Job, choice: int, body: Mapping[str, object]) -> Write:
    return _add(table, request_item(job.name, choice, body, changed_by="api"), _name_taken(job))


def add_token(table: str, job: Job, token: str) -> Write:
    return _add(table, token_item(job.owner_key, token, job.name, changed_by=SUBMIT), lambda _: TokenReused())


def replacement(table: str, job: Job, *, by: str) -> PutTypeDef:
    """Replaces the job by its next version if the stored version is the one it was made from."""
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
    version = attribute_values({"job_version": job.version + 1})  # read by `live_jobs`
    return _add(table, attempt_item(attempt, changed_by=SCHEDULE) | version, _stale(job))


def mark_attempt(table: str, job: Job, attempt: Attempt) -> Write:
    """Writes only the cycle's own attributes, so that a concurrent observation neither gets lost nor conflicts."""
    marks = {":created": attempt.created, ":stop_sent": attempt.stop_sent, ":version": job.version + 1, ":by": SCHEDULE}
    update: UpdateTypeDef = {
        "TableName": table,
        "Key": attempt_key(attempt.name),
        "UpdateExpression": "SET created = :created, stop_sent = :stop_sent, job_version = :version, changed_by = :by",
        "ConditionExpression": "attribute_exists(pk)",
        "ExpressionAttributeValues": attribute_values(marks),
    }
    return Write({"Update": update}, _stale(job))


def narrow_attempt(table: str, job: Job, attempt: Attempt) -> Write:
    """Replaces the attempt's demand by what SageMaker selected for the job."""
    demands = {":demand": attempt.demand.as_dict(), ":selected": job.selected.as_dict()}
    marks = {":version": job.version + 1, ":by": SCHEDULE}
    update: UpdateTypeDef = {
        "TableName": table,
        "Key": attempt_key(attempt.name),
        "UpdateExpression": "SET demand = :selected, job_version = :version, changed_by = :by",
        "ConditionExpression": "demand = :demand",
        "ExpressionAttributeValues": attribute_values(demands | marks),
    }
    return Write({"Update": update}, _stale(job))


def mark_sent(table: str, attempt: Attempt, sent_at: datetime) -> Write:
    known = {":known": moment(attempt.sent_at)} if attempt.sent_at else {}
    unchanged = "sent_at = :known" if known else "attribute_not_exists(sent_at)"
    update: UpdateTypeDef = {
        "TableName": table,
        "Key": attempt_key(attempt.name),
        "UpdateExpression": "SET sent_at = :sent_at, changed_by = :by",
        "ConditionExpression": f"attribute_exists(pk) AND {unchanged}",
        "ExpressionAttributeValues": attribute_values({":sent_at": moment(sent_at), ":by": SCHEDULE, **known}),
    }
    return Write({"Update": update}, lambda _: StaleJob(attempt.job_name))


def remove_attempt(table: str, job: Job, attempt: Attempt) -> Write:
    present = "attribute_exists(pk)"
    key = attempt_key(attempt.name)
    return Write({"Delete": {"TableName": table, "Key": key, "ConditionExpression": present}}, _stale(job))


def put_capacity(table: str, memory: CapacityMemory) -> Write:
    """Writes it unconditionally: only the lease's holder changes it, and the same transaction checks the lease."""
    put: PutTypeDef = {"TableName": table, "Item": capacity_item(memory, changed_by=SCHEDULE)}
    return Write({"Put": put}, lambda _: StaleJob("the capacity memory"))


def put_reconciliation_state(table: str, reconciliation_state: ReconciliationState) -> Write:
    """Writes it without a condition of its own: the same transaction checks the lease."""
    put: PutTypeDef = {"TableName": table, "Item": reconciliation_item(reconciliation_state, changed_by=SCHEDULE)}
    return Write({"Put": put}, lambda _: StaleJob("the state of the reconciliation"))


def observation_update(table: str, attempt_name: str, observation: Observation, *, by: str) -> UpdateItemInputTypeDef:
    """Records the observation if the attempt is live and it is news: `Observation.supersedes` as a condition."""
    live = "attribute_exists(pk)"
    unseen = "attribute_not_exists(observation)"
    older = "observation.modified_at < :modified_at"
    not_ended = f"NOT observation.#status IN ({', '.join(_TERMINAL_VALUES)})"
    common: UpdateItemInputTypeDef = {
        "TableName": table,
        "Key": attempt_key(attempt_name),
        "ExpressionAttributeNames": {"#status": "status"},
    }
    observed = observation_values(observation)
    values = {":observation": observed, ":modified_at": observed["modified_at"], ":by": by} | _TERMINAL_VALUES
    change = "SET changed_by = :by, observation = :observation"
    if observation.is_terminal:
        return common | {
            "UpdateExpression": f"{change}, needs_polling = :true",
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
