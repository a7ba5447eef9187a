"""Retries transactions that conflict on one record: DynamoDB refuses one, and botocore alone does not retry it."""

from __future__ import annotations

from random import uniform
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_MAX_ATTEMPTS = 8
_FIRST_DELAY = 0.025  # seconds, as botocore's own for DynamoDB


def retry_conflicts(client: DynamoDBClient) -> None:
    """Makes botocore send the request again, with the same token, after a random delay that doubles."""
    client.meta.events.register(
        "needs-retry.dynamodb",
        _delay_after_conflict,  # type: ignore[arg-type]  # the stubs do not know that handlers of this event answer
        unique_id="sagequeue-conflicts",
    )


def _delay_after_conflict(*, response: tuple[Any, dict[str, Any]] | None, attempts: int, **_: object) -> float | None:
    if response is None or attempts >= _MAX_ATTEMPTS or not _is_conflict(response[1]):
        return None
    return uniform(0, _FIRST_DELAY * 2**attempts)  # noqa: S311 (jitter, not a secret)


def _is_conflict(answer: dict[str, Any]) -> bool:
    reasons = {reason.get("Code") for reason in answer.get("CancellationReasons", ())}
    # If a condition failed as well, a retry would fail too.
    only_conflicts = reasons <= {"None", "TransactionConflict"} and "TransactionConflict" in reasons
    return only_conflicts or answer.get("Error", {}).get("Code") == "TransactionConflictException"
