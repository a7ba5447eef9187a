"""Keeps the lease of the cycle in the ledger's item: its holder, its fence, and the wake requests that arrived."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from scheduler.adapters.dynamodb.records.items import ledger_key
from scheduler.adapters.dynamodb.records.record_converter import (
    SCHEDULE,
    Item,
    attribute_values,
    converter,
    plain,
    read_or_placeholder,
    report_unreadable,
)
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import Write, update
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.rate_limit import ApiCall, Bucket, RateLimits
from scheduler.errors.internal import LeaseHeld, LeaseLost

_NO_TIME = "~"  # sorts after all times


class DynamoDBLeaseStore:
    def __init__(self, table: Table) -> None:
        self._table = table

    def acquire_lease(self, now: datetime, seconds: int) -> Lease:
        try:
            return self._take(now, seconds)
        except (LeaseHeld, self._table.client.exceptions.ClientError):
            if not self._repair(now, seconds):
                raise
        return self._take(now, seconds)

    def release_lease(self, lease: Lease) -> Lease | None:
        kept: dict[str, object] = {"rate_limits": converter.unstructure(dict(lease.rate_limits), dict[ApiCall, Bucket])}
        if lease.swept_until is not None:
            kept["swept_until"] = moment(lease.swept_until)
        changes = ", ".join(f"{name} = :{name}" for name in kept)
        released = update(
            ledger_key(),
            f"REMOVE lease_expires_at, holder SET {changes}",
            # Each acquisition counts as a wake request, so a cycle whose lease was taken over fails here.
            "wake_requests = :wake_requests",
            {":wake_requests": lease.wake_requests} | {f":{name}": value for name, value in kept.items()},
        )
        if self._table.write(released):
            return None
        ledger = self._ledger()
        if ledger["fence"] != {"N": str(lease.fence)}:
            raise LeaseLost(f"fence {lease.fence} is no longer the newest")
        return replace(lease, wake_requests=int(ledger["wake_requests"]["N"]))

    def _take(self, now: datetime, seconds: int) -> Lease:
        expires_at = now + timedelta(seconds=seconds)
        free = "attribute_not_exists(lease_expires_at)"
        expired = "lease_expires_at <= :now"
        mine = "holder = :holder"  # the answer was lost, and botocore sends the request again
        values = {":expires_at": moment(expires_at), ":now": moment(now), ":holder": uuid4().hex, ":one": 1}
        request: dict[str, Any] = {
            "TableName": self._table.name,
            "Key": ledger_key(),
            "UpdateExpression": "SET lease_expires_at = :expires_at, holder = :holder"
            " ADD fence :one, wake_requests :one",
            "ConditionExpression": f"{free} OR {expired} OR {mine}",
            "ExpressionAttributeValues": attribute_values(values),
            "ReturnValues": "ALL_NEW",
        }
        client = self._table.client
        try:
            ledger = client.update_item(**request)["Attributes"]
        except client.exceptions.ConditionalCheckFailedException:
            # Request a wake, then try again. A holder that released before the request lets this try succeed; a holder
            # that releases after it sees the request. Without the second try, the request could fall between the two.
            wake = "ADD wake_requests :one SET changed_by = :schedule"
            self._table.write(update(ledger_key(), wake, values={":one": 1, ":schedule": SCHEDULE}))
            try:
                ledger = client.update_item(**request)["Attributes"]
            except client.exceptions.ConditionalCheckFailedException as error:
                raise LeaseHeld("another cycle is running; it will run once more") from error
        return Lease(
            int(ledger["fence"]["N"]),
            int(ledger["wake_requests"]["N"]),
            expires_at,
            # Unreadable rates count as unused: SageMaker throttles calls that are too fast.
            read_or_placeholder(rate_limits_from, ledger, lambda _: {}),
            _time_or_none(ledger.get("swept_until", {}).get("S", "")),
        )

    def _repair(self, now: datetime, seconds: int) -> bool:
        """Repairs broken attributes of the lease, which would block every cycle. Returns whether any was broken.

        A new fence is higher than all before: a fence counts leases, and there is less than one lease a millisecond.
        """
        ledger = self._ledger()
        latest = moment(now + 2 * timedelta(seconds=seconds))
        fresh = {"fence": int(1000 * now.timestamp()), "wake_requests": 0, "lease_expires_at": moment(now)}
        broken = [name for name in fresh if name in ledger and not _is_sound(name, ledger[name], latest)]
        if not broken:
            return False
        report_unreadable(ledger, ", ".join(broken))
        old, new = {f":old_{name}": ledger[name] for name in broken}, {f":new_{name}": fresh[name] for name in broken}
        repair = {
            "Key": ledger_key(),
            "UpdateExpression": "SET " + ", ".join(f"{name} = :new_{name}" for name in broken),
            "ConditionExpression": " AND ".join(f"{name} = :old_{name}" for name in broken),
            "ExpressionAttributeValues": old | attribute_values(new),
        }
        self._table.write(Write("Update", repair))  # without effect if another call has repaired it
        return True

    def _ledger(self) -> Item:
        return self._table.item(ledger_key()) or {}


def rate_limits_from(ledger: Item) -> RateLimits:
    return converter.structure(plain(ledger).get("rate_limits", {}), dict[ApiCall, Bucket])


def _time_or_none(text: str) -> datetime | None:
    """Returns None for an unreadable time: then the next sweep polls more attempts than necessary."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _is_sound(name: str, value: Item, latest: str) -> bool:
    if name == "lease_expires_at":
        return bool(value.get("S", _NO_TIME) <= latest)
    return bool(value.get("N", "").isdigit())
