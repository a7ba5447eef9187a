"""Keeps the lease of the cycle in the ledger's item: its holder, its fence, and the wake requests that arrived."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

from scheduler.adapters.dynamodb.conflicts import retry_conflicts
from scheduler.adapters.dynamodb.lease.rate_limits import rate_limit_values, readable_rate_limits
from scheduler.adapters.dynamodb.records.attribute_values import attribute_values
from scheduler.adapters.dynamodb.records.items import SCHEDULE, ledger_key
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.records.unreadable_records import report_unreadable
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import LeaseHeld, LeaseLost

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, UpdateItemInputTypeDef

_NO_TIME = "~"  # sorts after all times


class DynamoDBLeaseStore:
    def __init__(self, client: DynamoDBClient, table: str) -> None:
        retry_conflicts(client)
        self._client = client
        self._table = table

    def acquire_lease(self, now: datetime, seconds: int) -> Lease:
        try:
            return self._take(now, seconds)
        except (LeaseHeld, self._client.exceptions.ClientError):
            if not self._repair(now, seconds):
                raise
        return self._take(now, seconds)

    def release_lease(self, lease: Lease) -> Lease | None:
        # Each acquisition counts as a wake request, so a cycle whose lease was taken over fails here.
        no_wake_request = "wake_requests = :wake_requests"
        kept: dict[str, object] = {"rate_limits": rate_limit_values(lease.rate_limits)}
        if lease.swept_until is not None:
            kept["swept_until"] = moment(lease.swept_until)
        changes = ", ".join(f"{name} = :{name}" for name in kept)
        try:
            self._client.update_item(
                TableName=self._table,
                Key=ledger_key(),
                UpdateExpression=f"REMOVE lease_expires_at, holder SET {changes}",
                ConditionExpression=no_wake_request,
                ExpressionAttributeValues=attribute_values(
                    {":wake_requests": lease.wake_requests} | {f":{name}": value for name, value in kept.items()}
                ),
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return self._was_woken(lease)
        return None

    def _take(self, now: datetime, seconds: int) -> Lease:
        expires_at = now + timedelta(seconds=seconds)
        free = "attribute_not_exists(lease_expires_at)"
        expired = "lease_expires_at <= :now"
        mine = "holder = :holder"  # the answer was lost, and botocore sends the request again
        values = {":expires_at": moment(expires_at), ":now": moment(now), ":holder": uuid4().hex, ":one": 1}
        request: UpdateItemInputTypeDef = {
            "TableName": self._table,
            "Key": ledger_key(),
            "UpdateExpression": "SET lease_expires_at = :expires_at, holder = :holder"
            " ADD fence :one, wake_requests :one",
            "ConditionExpression": f"{free} OR {expired} OR {mine}",
            "ExpressionAttributeValues": attribute_values(values),
            "ReturnValues": "ALL_NEW",
        }
        refused = self._client.exceptions.ConditionalCheckFailedException
        try:
            answer = self._client.update_item(**request)
        except refused:
            # Request a wake, then try again. A holder that released before the request lets this try succeed; a holder
            # that releases after it sees the request. Without the second try, the request could fall between the two.
            self._request_wake()
            try:
                answer = self._client.update_item(**request)
            except refused as error:
                raise LeaseHeld("another cycle is running; it will run once more") from error
        ledger = answer["Attributes"]
        return Lease(
            int(ledger["fence"]["N"]),
            int(ledger["wake_requests"]["N"]),
            expires_at,
            readable_rate_limits(ledger),
            _time_or_none(ledger.get("swept_until", {}).get("S", "")),
        )

    def _request_wake(self) -> None:
        self._client.update_item(
            TableName=self._table,
            Key=ledger_key(),
            UpdateExpression="ADD wake_requests :one SET changed_by = :schedule",
            ExpressionAttributeValues=attribute_values({":one": 1, ":schedule": SCHEDULE}),
        )

    def _was_woken(self, lease: Lease) -> Lease:
        ledger = self._client.get_item(TableName=self._table, Key=ledger_key(), ConsistentRead=True)["Item"]
        if ledger["fence"] != {"N": str(lease.fence)}:
            raise LeaseLost(f"fence {lease.fence} is no longer the newest")
        return replace(lease, wake_requests=int(ledger["wake_requests"]["N"]))

    def _repair(self, now: datetime, seconds: int) -> bool:
        """Repairs broken attributes of the lease, which would block every cycle. Returns whether any was broken.

        A new fence is higher than all before: a fence counts leases, and there is less than one lease a millisecond.
        """
        ledger = self._client.get_item(TableName=self._table, Key=ledger_key(), ConsistentRead=True).get("Item", {})
        latest = moment(now + 2 * timedelta(seconds=seconds))
        fresh = {"fence": int(1000 * now.timestamp()), "wake_requests": 0, "lease_expires_at": moment(now)}
        broken = [name for name in fresh if name in ledger and not _is_sound(name, ledger[name], latest)]
        if not broken:
            return False
        report_unreadable(ledger, ", ".join(broken))
        new = attribute_values({f":new_{name}": fresh[name] for name in broken})
        with suppress(self._client.exceptions.ConditionalCheckFailedException):  # another call has repaired it
            self._client.update_item(
                TableName=self._table,
                Key=ledger_key(),
                UpdateExpression="SET " + ", ".join(f"{name} = :new_{name}" for name in broken),
                ConditionExpression=" AND ".join(f"{name} = :old_{name}" for name in broken),
                ExpressionAttributeValues={**{f":old_{name}": ledger[name] for name in broken}, **new},
            )
        return True


def _time_or_none(text: str) -> datetime | None:
    """Returns None for an unreadable time: then the next sweep polls more attempts than necessary."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _is_sound(name: str, value: AttributeValueTypeDef, latest: str) -> bool:
    if name == "lease_expires_at":
        return value.get("S", _NO_TIME) <= latest
    return value.get("N", "").isdigit()
