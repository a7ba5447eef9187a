"""Stores statistics on finished attempts in the table: run times, usage, attempts by location, and spending counts.

Each owner has one item for run times. Usage has one item for each team, and for each owner in a fair team. Attempts
have one item for each location. A month's spending is one partition, with one item for each owner, team or tag.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from math import isfinite

from scheduler.adapters.dynamodb.records.items import capacity_item
from scheduler.adapters.dynamodb.records.record_converter import (
    Item,
    attribute_values,
    read_or_placeholder,
    report_unreadable,
)
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import Write, put
from scheduler.core.capacity.attempt_statistics import AttemptStatistics
from scheduler.core.capacity.locations import Location
from scheduler.core.history.runtime_stats import SimilarRuns
from scheduler.core.planner.learned import Learned, RunGroups, Usage
from scheduler.core.spending.limits import Scope, ScopeKind
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.ports.job_store import SCHEDULE

_OWNER, _TEAM, _LOCATION = "OWNER#", "TEAM#", "LOCATION#"
_SPENT = "SPENT#"
#: DynamoDB deletes an item this long after its last change: an owner may be a session that never returns.
_RETENTION = timedelta(days=180)
_SPENT_RETENTION = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class DynamoDBLearnedStore:
    table: Table

    def read_learned(
        self,
        owners: Collection[str],
        usage_keys: Collection[str],
        locations: Collection[Location] = (),
        *,
        consistent: bool = True,
    ) -> Learned:
        """Returns the statistics, without unreadable items: the next attempt that ends replaces such an item."""
        places = {_location_name(location): location for location in locations}
        names = [*(_OWNER + owner for owner in owners), *(_TEAM + key for key in usage_keys), *places]
        runs: dict[str, RunGroups] = {}
        usage: dict[str, Usage] = {}
        statistics: dict[Location, AttemptStatistics] = {}
        for item in self.table.items([_learned_key(name) for name in names], consistent=consistent):
            name = item["sk"]["S"]
            if name.startswith(_OWNER):
                if (groups := read_or_placeholder(_groups_from, item, lambda _: None)) is not None:
                    runs[name.removeprefix(_OWNER)] = groups
            elif name in places:
                if (known := read_or_placeholder(_statistics_from, item, lambda _: None)) is not None:
                    statistics[places[name]] = known
            elif (used := read_or_placeholder(_usage_from, item, lambda _: None)) is not None:
                usage[name.removeprefix(_TEAM)] = used
        return Learned(runs, usage, statistics)

    def spent(self, keys: Collection[SpentTimeKey]) -> dict[SpentTimeKey, SpentTime | None]:
        return _spent_of_items(self.table.items([_spent_key(key) for key in sorted(keys)]))

    def spent_in(self, month: str) -> dict[SpentTimeKey, SpentTime | None]:
        return _spent_of_items(self.table.partition(_SPENT + month))


def learned_writes(learned: Learned, now: datetime) -> list[Write]:
    """Returns unconditional writes: only the lease's holder changes these items, in transactions that check it."""
    capacity = [] if learned.capacity is None else [put(capacity_item(learned.capacity, changed_by=SCHEDULE))]
    runs = [
        _learned_write(_OWNER + owner, {"runs": _text_of(groups)}, now)
        for owner, groups in sorted(learned.runs.items())
    ]
    usage = [_learned_write(_TEAM + key, _values_of(used), now) for key, used in sorted(learned.usage.items())]
    statistics = [
        _learned_write(_location_name(location), _values_of_statistics(known), now)
        for location, known in learned.statistics.items()
    ]
    return [*spent_writes(learned.spent, now), *capacity, *runs, *usage, *statistics]


def spent_writes(counts: Mapping[SpentTimeKey, SpentTime], now: datetime) -> list[Write]:
    expires = {"changed_by": SCHEDULE, "expires_at": int((now + _SPENT_RETENTION).timestamp())}
    return [
        put(
            _spent_key(key)
            | attribute_values({"held": _rounded(spent.held), "billed": _rounded(spent.billed), **expires})
        )
        for key, spent in sorted(counts.items())
    ]


def spent_from(item: Item) -> SpentTime:
    """Converts the item to a spending count. Raises KeyError, TypeError, ValueError or AttributeError."""
    return SpentTime(_seconds_in(item["held"]), _seconds_in(item["billed"]))


def _learned_key(name: str) -> Item:
    return {"pk": {"S": "PAST"}, "sk": {"S": name}}


def _learned_write(name: str, values: Mapping[str, object], now: datetime) -> Write:
    expires = {"changed_by": SCHEDULE, "expires_at": int((now + _RETENTION).timestamp())}
    return put(_learned_key(name) | attribute_values({**values, **expires}))


def _text_of(groups: RunGroups) -> str:
    values = {kind: [known.count, round(known.share, 4)] for kind, known in groups.items()}
    return json.dumps(values, separators=(",", ":"))


def _groups_from(item: Item) -> RunGroups:
    return {kind: SimilarRuns(count, share) for kind, (count, share) in json.loads(item["runs"]["S"]).items()}


def _values_of(usage: Usage) -> dict[str, object]:
    return {"weighted_seconds": Decimal(str(round(usage.weighted_seconds, 1))), "as_of": moment(usage.as_of)}


def _usage_from(item: Item) -> Usage:
    return Usage(float(item["weighted_seconds"]["N"]), datetime.fromisoformat(item["as_of"]["S"]))


def _location_name(location: Location) -> str:
    return f"{_LOCATION}{location.instance_type}#{'spot' if location.spot else 'on_demand'}"


def _values_of_statistics(known: AttemptStatistics) -> dict[str, object]:
    counts = {"attempts": known.attempts, "useful": known.useful, "billed": known.billed}
    return {name: Decimal(str(round(count, 3))) for name, count in counts.items()} | {"as_of": moment(known.as_of)}


def _statistics_from(item: Item) -> AttemptStatistics:
    attempts, useful, billed = (float(item[name]["N"]) for name in ("attempts", "useful", "billed"))
    return AttemptStatistics(attempts, useful, billed, datetime.fromisoformat(item["as_of"]["S"]))


def _spent_key(key: SpentTimeKey) -> Item:
    return {"pk": {"S": _SPENT + key.month}, "sk": {"S": f"{key.scope.kind}#{key.scope.name}"}}


def _spent_of_items(items: Iterable[Item]) -> dict[SpentTimeKey, SpentTime | None]:
    found: dict[SpentTimeKey, SpentTime | None] = {}
    for item in items:
        kind, _, name = item["sk"]["S"].partition("#")
        known = ScopeKind.__members__.get(kind.upper())
        if known and name:
            key = SpentTimeKey(item["pk"]["S"].removeprefix(_SPENT), Scope(known, name))
            found[key] = read_or_placeholder(spent_from, item, lambda _: None)
        else:  # an operator wrote this key by hand
            report_unreadable(item, "its key names no owner, team or tag")
    return found


def _rounded(seconds: Mapping[str, float]) -> dict[str, Decimal]:
    return {kind: Decimal(str(round(value, 3))) for kind, value in sorted(seconds.items())}


def _seconds_in(value: Item) -> dict[str, float]:
    seconds = {kind: float(count["N"]) for kind, count in value["M"].items()}
    if not all(isfinite(count) and count >= 0 for count in seconds.values()):
        raise ValueError("no seconds")
    return seconds
