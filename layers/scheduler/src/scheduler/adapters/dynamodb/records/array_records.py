"""Converts arrays to items and back, and builds the keys of their records.

Arrays whose children may be created or cancelled now are in one partition of the index `lines`. Other unfinished arrays
are in another partition.
"""

import zlib
from typing import Any

from scheduler.adapters.dynamodb.records.items import REQUEST_PREFIX
from scheduler.adapters.dynamodb.records.record_converter import (
    Item,
    converter,
    plain,
    record,
    report_unreadable,
)
from scheduler.adapters.dynamodb.records.sort_keys import moment, queue_key
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.errors.unreadable import UnreadableArray

ARRAY_PREFIX = "ARRAY#"
DUE_ARRAYS_PARTITION = "DUE_ARRAYS"
ARRAYS_PARTITION = "ARRAYS"
ENDED_ARRAYS_PARTITION = "ENDED_ARRAYS"


def array_key(name: str) -> Item:
    return {"pk": {"S": ARRAY_PREFIX + name}, "sk": {"S": "ARRAY"}}


def child_requests_key(array: str) -> Item:
    return {"pk": {"S": REQUEST_PREFIX + array}, "sk": {"S": "ARRAY"}}


def parameters_key(array: str, number: int) -> Item:
    return {"pk": {"S": REQUEST_PREFIX + array}, "sk": {"S": f"PARAMETERS#{number}"}}


def array_item(array: JobArray, *, changed_by: str) -> Item:
    values: dict[str, Any] = converter.unstructure(array)
    # Letters repeat, so 10,000 children compress to hundreds of bytes: the cost of each write depends on the record's
    # size.
    values |= {"children": zlib.compress(array.children.encode()), "version": array.version}
    return array_key(array.name) | record(values | _index_keys(array), changed_by)


def array_in(item: Item) -> JobArray:
    """Converts the item to an array. Raises UnreadableArray."""
    try:
        values: dict[str, Any] = plain(item)
        return converter.structure(values | {"children": zlib.decompress(values["children"]).decode()}, JobArray)
    except Exception as error:
        report_unreadable(item, type(error).__name__)
        raise UnreadableArray(name_of_array(item)) from error


def readable_array(item: Item) -> JobArray | None:
    try:
        return array_in(item)
    except UnreadableArray:
        return None  # it is reported


def name_of_array(item: Item) -> str:
    key: str = item["pk"]["S"]
    return key.removeprefix(ARRAY_PREFIX)


def place_in_list(array: JobArray) -> str:
    """Returns the key that sorts unfinished arrays by priority and age."""
    return queue_key(array.first)


def _index_keys(array: JobArray) -> dict[str, str]:
    if not array.is_finished:
        partition = DUE_ARRAYS_PARTITION if array.is_due else ARRAYS_PARTITION
        return {"queue_pk": partition, "line_sk": place_in_list(array)}
    ended_at = moment(array.updated_at or array.first.submitted_at)
    return {"ended_pk": ENDED_ARRAYS_PARTITION, "ended_sk": f"{ended_at}#{array.name}"}
