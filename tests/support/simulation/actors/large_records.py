"""Fills jobs' records up to the table's size limit, so that most changes are refused. Empties the records later."""

from functools import partial
from random import Random

from scheduler.adapters.dynamodb.records.record_converter import attribute_values
from support.dynamodb.expressions import Item
from support.dynamodb.sizes import LARGEST_ITEM, size_of
from support.dynamodb.table import Key
from support.simulation.actors.context import ActorContext

#: The mean time between two filled records, in seconds.
_PACE = 60.0
#: A function that read a filled record may write it once more after it was emptied.
_CHECKS_AFTER_REST = 10
_FILLER = "filler"


class LargeRecords:
    """They act only in a few worlds. Their draws are separate, so that all other worlds stay as they are."""

    def __init__(self, context: ActorContext, random: Random) -> None:
        self._context = context
        self._account, self._random = context.account, random
        self._is_resting = False
        self._later()

    def rest(self) -> None:
        self._is_resting = True
        for minute in range(_CHECKS_AFTER_REST):
            self._account.agenda.at(self._account.now + 60 * minute, self._empty_all)

    def _later(self) -> None:
        self._account.agenda.at(self._account.now + self._random.expovariate(1 / _PACE), self._act)

    def _act(self) -> None:
        if self._is_resting:
            return
        table = self._account.table
        keys = sorted(key for key in table.items if key[1] == "JOB" and not table.is_corrupted(key))
        key = self._random.choice(keys) if keys else None
        if key and not _is_filled(table.items[key]):
            table.write(key, filled(table.items[key]))
            self._account.agenda.at(self._account.now + self._random.uniform(30, 600), partial(self._empty, key))
            self._context.done["record filled"] += 1
        self._later()

    def _empty_all(self) -> None:
        for key in [*self._account.table.items]:
            self._empty(key)

    def _empty(self, key: Key) -> None:
        item = self._account.table.items.get(key, {})
        if _is_filled(item):
            rest = {name: value for name, value in item.items() if name != "warnings"}
            kept = [warning for warning in item["warnings"]["L"] if warning["M"]["rule"]["S"] != _FILLER]
            self._account.table.write(key, rest | ({"warnings": {"L": kept}} if kept else {}))


def filled(item: Item) -> Item:
    """Returns the item with one more warning, which fills it up to the maximum size of an item."""
    known = item.get("warnings", {"L": []})["L"]
    small = item | {"warnings": {"L": [*known, _filler(0)]}}
    return item | {"warnings": {"L": [*known, _filler(max(0, LARGEST_ITEM - size_of(small)))]}}


def _filler(length: int) -> Item:
    return {"M": attribute_values({"rule": _FILLER, "field": "", "message": "x" * length, "remedy": ""})}


def _is_filled(item: Item) -> bool:
    warnings = item.get("warnings", {}).get("L", ())
    return any(warning["M"].get("rule") == {"S": _FILLER} for warning in warnings)
