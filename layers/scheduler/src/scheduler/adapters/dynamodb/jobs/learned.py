"""Keeps what was learned from ended runs in the table: one item for each owner and each team."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb import spending
from scheduler.adapters.dynamodb.jobs.writes import put_capacity
from scheduler.adapters.dynamodb.records.attribute_values import attribute_values
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.records.unreadable_records import report_unreadable
from scheduler.adapters.dynamodb.table import Table, Write
from scheduler.core.history.runtime_stats import SimilarRuns
from scheduler.core.planner.learned import Learned, RunGroups, Usage
from scheduler.errors.internal import StaleJob

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

_PARTITION = "PAST"
_OWNER, _TEAM = "OWNER#", "TEAM#"
#: How long after its last change DynamoDB deletes an item: owners may be sessions that never return.
_RETENTION = timedelta(days=180)


def read_learned(table: Table, owners: Collection[str], teams: Collection[str], *, consistent: bool) -> Learned:
    names = [_OWNER + owner for owner in owners] + [_TEAM + team for team in teams]
    runs, usage = {}, {}
    for item in table.items([_key(name) for name in names], consistent=consistent):
        name = item["sk"]["S"]
        try:
            if name.startswith(_OWNER):
                runs[name.removeprefix(_OWNER)] = _kinds_from(item["runs"]["S"])
            else:
                usage[name.removeprefix(_TEAM)] = _usage_from(item)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            report_unreadable(item, type(error).__name__)  # then nothing is known; the next run starts afresh
    return Learned(runs, usage)


def learned_writes(table: str, learned: Learned, now: datetime) -> list[Write]:
    """Returns unconditional writes: only the lease's holder changes these items, and their transaction checks it."""
    expires = {"changed_by": "schedule", "expires_at": int((now + _RETENTION).timestamp())}
    items: list[tuple[str, dict[str, object]]] = [
        (_OWNER + owner, {"runs": _text_of(kinds)}) for owner, kinds in sorted(learned.runs.items())
    ]
    items += [(_TEAM + team, _values_of(usage)) for team, usage in sorted(learned.usage.items())]
    puts = [_key(name) | attribute_values({**values, **expires}) for name, values in items]
    capacity = [put_capacity(table, learned.capacity)] if learned.capacity is not None else []
    return (
        spending.spent_writes(table, learned.spent, now)
        + capacity
        + [
            Write({"Put": {"TableName": table, "Item": put}}, lambda _: StaleJob("what was learned from ended runs"))
            for put in puts
        ]
    )


def _key(name: str) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": _PARTITION}, "sk": {"S": name}}


def _text_of(kinds: RunGroups) -> str:
    values = {kind: [known.count, round(known.share, 4)] for kind, known in kinds.items()}
    return json.dumps(values, separators=(",", ":"))


def _kinds_from(text: str) -> RunGroups:
    return {kind: SimilarRuns(count, share) for kind, (count, share) in json.loads(text).items()}


def _values_of(usage: Usage) -> dict[str, object]:
    return {"instance_seconds": Decimal(str(round(usage.instance_seconds, 1))), "as_of": moment(usage.as_of)}


def _usage_from(item: Mapping[str, AttributeValueTypeDef]) -> Usage:
    return Usage(float(item["instance_seconds"]["N"]), datetime.fromisoformat(item["as_of"]["S"]))
