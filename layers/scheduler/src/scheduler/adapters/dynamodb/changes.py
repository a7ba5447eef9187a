"""Stores the history in the table: one item for each change to a job, in the order of recording. Items never change.

The function `history` writes the items from the table's stream. They expire after the retention time.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime

from scheduler.adapters.dynamodb.records.record_converter import Item, converter, read_or_placeholder, reader_of, record
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.history.change import Change
from scheduler.errors.refusals import UnknownToken
from scheduler.ports.change_store import ChangePage

CHANGES = "CHANGES"
change_from = reader_of(Change)
_KEY = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00#\d{8}#[a-zA-Z0-9-]{1,63}")


@dataclass(frozen=True, slots=True)
class DynamoDBChangeStore:
    table: Table

    def append(self, change: Change, expires_at: datetime) -> bool:
        return self.table.add(change_item(change, expires_at))

    def page(self, since: datetime, until: datetime, limit: int, token: str | None) -> ChangePage:
        first = moment(since) if token is None else _behind(token)
        if first > moment(until):
            return ChangePage((), None)  # the token belongs to another time span, and DynamoDB rejects such a range
        keys = "pk = :changes AND sk BETWEEN :first AND :until"
        items, is_more = self.table.page(
            keys, {":changes": CHANGES, ":first": first, ":until": moment(until)}, size=limit
        )
        # A broken item is skipped. The gap is visible, because a job's versions are consecutive.
        read = (read_or_placeholder(change_from, item, lambda _: None) for item in items)
        token = urlsafe_b64encode(items[-1]["sk"]["S"].encode()).decode() if items and is_more else None
        return ChangePage(tuple(change for change in read if change is not None), token)


def change_item(change: Change, expires_at: datetime) -> Item:
    key: dict[str, object] = {"pk": CHANGES, "sk": f"{moment(change.recorded_at)}#{change.version:08d}#{change.job}"}
    expires = {"expires_at": int(expires_at.timestamp())}
    return record(key | converter.unstructure(change) | {"version": change.version} | expires, "history")


def _behind(token: str) -> str:
    """Returns the first possible key after the last key on the previous page."""
    try:
        key = urlsafe_b64decode(token).decode()
    except ValueError:
        key = ""
    if not _KEY.fullmatch(key):
        raise UnknownToken("history", token)
    return key + " "
