"""Corrupts records so that no reader accepts them, and repairs them later."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from scheduler.adapters.dynamodb.lease.lease import rate_limits_from
from scheduler.adapters.dynamodb.monitoring import head_from
from scheduler.adapters.dynamodb.records.items import CONFIG, reconciliation_from, version_from
from scheduler.adapters.dynamodb.records.job_records import attempt_from, job_from, pool_from
from scheduler.core.configuration import kinds
from support.dynamodb.expressions import Item
from support.dynamodb.table import CORRUPTED, Key
from support.simulation.actors.context import ActorContext, Acts


def _no_body(_item: Item) -> None:
    raise ValueError("not the body of a request")


#: The reader of each kind of record, in a fixed order: a seed draws from it. In the ledger, only the rate limits are
#: corrupted: its fence and counts are the protocol itself.
_READERS: Mapping[str, Callable[[Any], object]] = {
    "CONFIG": lambda item: kinds.read(version_from(item).sections),
    "RECONCILIATION": reconciliation_from,
    "HEAD": head_from,
    "JOB": job_from,
    "LEDGER": rate_limits_from,
    "LIVE": attempt_from,
    "POOLS": pool_from,
    "REQUEST": _no_body,
}
_CORRUPTIBLE: Mapping[str, frozenset[str]] = {
    "REQUEST": frozenset({"body", "body_key"}),
    "LEDGER": frozenset({"rate_limits"}),
}
#: Attributes that find a record, or show that it changed: never corrupted.
_KEYS = frozenset({"pk", "sk", "changed_by", "version", "ended_pk", "ended_sk", "queue_pk", "queue_sk", "line_sk"})


class RecordFaults:
    def __init__(self, context: ActorContext) -> None:
        self._context = context
        self._account, self._random = context.account, context.random

    def acts(self) -> Acts:
        return {self._corrupt: 0.4}

    def repair(self) -> None:
        """Repairs all corrupted records."""
        for key in [*self._account.table.corrupted]:
            self._account.table.repair(key)

    def _corrupt(self) -> None:
        table = self._account.table
        present = {_kind_of(key) for key in table.items}
        corruptible = [kind for kind in _READERS if kind in present]
        if not corruptible:
            return
        kind = self._random.choice(corruptible)
        key = self._choice_of([key for key in sorted(table.items) if _kind_of(key) == kind])
        vital = _vital_attributes(kind, table.items[key])
        if key not in table.corrupted and vital:
            table.corrupt(key, self._random.choice(vital))
            self._account.agenda.at(self._account.now + self._random.uniform(30, 900), partial(table.repair, key))
            self._context.done[f"record corrupted: {kind}"] += 1

    def _choice_of(self, keys: list[Key]) -> Key:
        """Chooses a record.

        For the configuration, chooses one of the last two versions, because older versions are not read.
        """
        return self._random.choice(keys[-2:] if keys[0][0] == CONFIG else keys)


def _kind_of(key: Key) -> str:
    return key[0].partition("#")[0] if key[0].startswith(("JOB#", "REQUEST#")) else key[0]


def _vital_attributes(kind: str, item: Item) -> list[str]:
    """Returns the attributes without which the record cannot be read."""
    return sorted(
        name for name in item.keys() & _CORRUPTIBLE.get(kind, item.keys() - _KEYS) if _breaks(kind, item, name)
    )


def _breaks(kind: str, item: Item, attribute: str) -> bool:
    try:
        _READERS[kind]({**item, attribute: CORRUPTED})
    except Exception:  # noqa: BLE001 - a corrupted record may raise any error
        return True
    return False
