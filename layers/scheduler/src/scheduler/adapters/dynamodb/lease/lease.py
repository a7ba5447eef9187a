"""Stores the cycle's lease in the ledger's item: its holder, its fence, and the number of wake requests."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

from scheduler.adapters.dynamodb.lease.ledger import lost
from scheduler.adapters.dynamodb.records.items import ledger_key
from scheduler.adapters.dynamodb.records.record_converter import (
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
from scheduler.core.reconciliation.lease import JudgedQueue, Lease
from scheduler.core.reconciliation.rate_limit import ApiCall, Bucket, RateLimits
from scheduler.errors.internal import LeaseHeld
from scheduler.ports.job_store import SCHEDULE, UNFINISHED

_NO_TIME = "~"  # sorts after all times
#: The positions at which the next sweep continues.
_TOKENS = ("parked_token", "successors_token", "arrays_token")


class DynamoDBLeaseStore:
    def __init__(self, table: Table) -> None:
        self._table = table

    def acquire_lease(self, now: datetime, seconds: int, *, sweep: bool = False) -> Lease:
        try:
            return self._acquire(now, seconds, sweep=sweep)
        except (LeaseHeld, self._table.client.exceptions.ClientError):
            if not self._repair(now, seconds):
                raise
        return self._acquire(now, seconds, sweep=sweep)

    def release_lease(self, lease: Lease, *, wakes_again: bool = False) -> Lease | None:
        kept: dict[str, object] = {
            "rate_limits": converter.unstructure(dict(lease.rate_limits), dict[ApiCall, Bucket]),
            "sweep_due": lease.sweep_due,
            "changed_by": UNFINISHED if wakes_again else SCHEDULE,  # UNFINISHED makes the table's stream wake a cycle
        }
        if lease.swept_until is not None:
            kept["swept_until"] = moment(lease.swept_until)
        if lease.idle_until is not None:
            kept["idle_until"] = moment(lease.idle_until)
        if lease.judged_queue.digest:
            kept["judged_queue"] = converter.unstructure(lease.judged_queue)
        tokens = {name: getattr(lease, name) for name in _TOKENS}
        kept |= {name: token for name, token in tokens.items() if token is not None}
        changes = ", ".join(f"{name} = :{name}" for name in kept)
        dropped = ", ".join(sorted({"lease_expires_at", "holder", *_TOKENS} - kept.keys()))
        released = update(
            ledger_key(),
            f"REMOVE {dropped} SET {changes}",
            # Each acquisition counts as a wake request, so this fails if another cycle has taken over the lease.
            "wake_requests = :wake_requests",
            {":wake_requests": lease.wake_requests} | {f":{name}": value for name, value in kept.items()},
        )
        if self._table.write(released):
            return None
        ledger = self._ledger()
        if ledger["fence"] != {"N": str(lease.fence)}:
            raise lost(lease)
        return replace(
            lease,
            wake_requests=int(ledger["wake_requests"]["N"]),
            sweep_due=_is_sweep_due(ledger),
            woken_at=_woken_at(ledger),
        )

    def idle_until(self) -> datetime | None:
        return _time_or_none(self._ledger().get("idle_until", {}).get("S", ""))

    def _acquire(self, now: datetime, seconds: int, *, sweep: bool) -> Lease:
        expires_at = now + timedelta(seconds=seconds)
        take = _take_by(uuid4().hex, now, expires_at, sweep=sweep)
        ledger = self._carry_out(take)
        if ledger is None:
            # Request a wake, then try again. A holder that released before the request lets this try succeed; a holder
            # that releases after it sees the request. Without the second try, the request could fall between the two.
            self._request_wake(now, sweep=sweep)
            ledger = self._carry_out(take)
        if ledger is None:
            raise LeaseHeld("another cycle is running; it will run once more")
        return _lease_from(ledger, expires_at)

    def _carry_out(self, take: Write) -> Item | None:
        """Takes the lease and returns the ledger; None while another cycle holds the lease."""
        client = self._table.client
        try:
            answer = client.update_item(TableName=self._table.name, **take.parameters, ReturnValues="ALL_NEW")
        except client.exceptions.ConditionalCheckFailedException:
            return None
        return answer["Attributes"]

    def _request_wake(self, now: datetime, *, sweep: bool) -> None:
        kept: dict[str, object] = {"changed_by": SCHEDULE}
        kept |= {"sweep_due": True} if sweep else {"woken_at": moment(now)}
        changes = ", ".join(f"{name} = :{name}" for name in kept)
        values = {":one": 1} | {f":{name}": value for name, value in kept.items()}
        self._table.write(update(ledger_key(), f"ADD wake_requests :one SET {changes}", values=values))

    def _repair(self, now: datetime, seconds: int) -> bool:
        """Repairs broken attributes of the lease, which would block every cycle. Returns whether any was broken.

        A new fence is higher than every earlier one: fences count leases, and there are fewer than one per millisecond.
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
        self._table.write(Write("Update", repair))  # has no effect if another call has repaired it
        return True

    def _ledger(self) -> Item:
        return self._table.item(ledger_key()) or {}


def _take_by(holder: str, now: datetime, expires_at: datetime, *, sweep: bool) -> Write:
    """Returns the write that takes the lease if it is free or already held by this holder: botocore may repeat it."""
    woken = "" if sweep else ", woken_at = :now"
    return update(
        ledger_key(),
        f"SET lease_expires_at = :expires_at, holder = :holder, changed_by = :schedule{woken}"
        " REMOVE idle_until ADD fence :one, wake_requests :one",
        "attribute_not_exists(lease_expires_at) OR lease_expires_at <= :now OR holder = :holder",
        {
            ":expires_at": moment(expires_at),
            ":now": moment(now),
            ":holder": holder,
            ":one": 1,
            ":schedule": SCHEDULE,
        },
    )


def _lease_from(ledger: Item, expires_at: datetime) -> Lease:
    return Lease(
        int(ledger["fence"]["N"]),
        int(ledger["wake_requests"]["N"]),
        expires_at,
        # Unreadable rates count as unused: at worst, SageMaker throttles some calls.
        read_or_placeholder(rate_limits_from, ledger, lambda _: {}),
        _time_or_none(ledger.get("swept_until", {}).get("S", "")),
        # If this is unreadable, all waiting jobs are judged again.
        read_or_placeholder(judged_queue_from, ledger, lambda _: JudgedQueue()),
        _is_sweep_due(ledger),
        woken_at=_woken_at(ledger),
        **{name: ledger.get(name, {}).get("S") for name in _TOKENS},
    )


def rate_limits_from(ledger: Item) -> RateLimits:
    return converter.structure(plain(ledger).get("rate_limits", {}), dict[ApiCall, Bucket])


def judged_queue_from(ledger: Item) -> JudgedQueue:
    return converter.structure(plain(ledger).get("judged_queue", {}), JudgedQueue)


def _woken_at(ledger: Item) -> datetime | None:
    return _time_or_none(ledger.get("woken_at", {}).get("S", ""))


def _is_sweep_due(ledger: Item) -> bool:
    return ledger.get("sweep_due") == {"BOOL": True}


def _time_or_none(text: str) -> datetime | None:
    """Returns None for an unreadable time: the next sweep then does more than necessary."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _is_sound(name: str, value: Item, latest: str) -> bool:
    if name == "lease_expires_at":
        return bool(value.get("S", _NO_TIME) <= latest)
    return bool(value.get("N", "").isdigit())
