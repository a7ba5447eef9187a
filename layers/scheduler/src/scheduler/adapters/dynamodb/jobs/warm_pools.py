"""Builds the conditional writes of warm pools, with the error to raise when a condition fails.

A pool holds its demand. Once it is lent, the attempt that should take it over holds the demand instead, so the ledger's
counts are the same before and after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import attribute_values
from scheduler.adapters.dynamodb.records.items import SCHEDULE, attempt_key, pool_item, pool_key
from scheduler.adapters.dynamodb.table import Write
from scheduler.core.jobs.attempt import Attempt
from scheduler.errors.internal import StaleJob

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import DeleteTypeDef, PutTypeDef, UpdateTypeDef


def add(table: str, attempt: Attempt) -> Write:
    put: PutTypeDef = {
        "TableName": table,
        "Item": pool_item(attempt, changed_by=SCHEDULE),
        "ConditionExpression": "attribute_not_exists(pk)",
    }
    return Write({"Put": put}, lambda _: StaleJob(attempt.name))


def rewrite(table: str, pool: Attempt, *, lent_before: str) -> Write:
    """Replaces the pool if it is still lent to the attempt `lent_before`, or to none if that is empty."""
    put: PutTypeDef = {
        "TableName": table,
        "Item": pool_item(pool, changed_by=SCHEDULE),
        "ConditionExpression": _is_lent_to(lent_before),
    }
    if lent_before:
        put["ExpressionAttributeValues"] = attribute_values({":before": lent_before})
    return Write({"Put": put}, lambda _: StaleJob(pool.name))


def set_started_on(table: str, pool: Attempt, taker: Attempt) -> Write:
    update: UpdateTypeDef = {
        "TableName": table,
        "Key": attempt_key(taker.name),
        "UpdateExpression": "SET started_on = :pool, changed_by = :by",
        "ConditionExpression": "attribute_exists(pk)",
        "ExpressionAttributeValues": attribute_values({":pool": pool.name, ":by": SCHEDULE}),
    }
    return Write({"Update": update}, lambda _: StaleJob(taker.name))


def remove(table: str, pool: Attempt) -> Write:
    """Removes the pool if its loan is unchanged: otherwise it holds another demand than the one released with it."""
    delete: DeleteTypeDef = {
        "TableName": table,
        "Key": pool_key(pool.name),
        "ConditionExpression": _is_lent_to(pool.lent_to),
    }
    if pool.lent_to:
        delete["ExpressionAttributeValues"] = attribute_values({":before": pool.lent_to})
    return Write({"Delete": delete}, lambda _: StaleJob(pool.name))


def _is_lent_to(attempt_name: str) -> str:
    unchanged = "lent_to = :before" if attempt_name else "attribute_not_exists(lent_to)"
    return f"attribute_exists(pk) AND {unchanged}"
