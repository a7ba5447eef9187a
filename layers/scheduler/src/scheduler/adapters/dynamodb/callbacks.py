"""Stores open callbacks in one partition of the table, so that one query finds them all."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from scheduler.adapters.dynamodb.records import sort_keys
from scheduler.adapters.dynamodb.records.job_records import ENDED_PARTITION, JOB_PREFIX, job_key, readable_job
from scheduler.adapters.dynamodb.records.record_converter import (
    Item,
    attribute_values,
    converter,
    read_or_placeholder,
    reader_of,
    record,
)
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, Write, delete, put
from scheduler.core.history.callbacks.callback import MOST_OPEN, Callback, OpenCallback

CALLBACKS = "CALLBACKS"
#: Wakes no cycle.
_WRITER = "callbacks"
callback_from = reader_of(Callback)


@dataclass(frozen=True, slots=True)
class DynamoDBCallbackStore:
    table: Table

    def add(self, callbacks: Sequence[Callback]) -> None:
        for callback in callbacks:
            self.table.write(add_callback(callback))

    def open(self) -> Sequence[Callback]:
        read = (read_or_placeholder(callback_from, item, lambda _: None) for item in self.table.partition(CALLBACKS))
        return [callback for callback in read if callback is not None]

    def with_jobs(self, callbacks: Sequence[Callback]) -> Sequence[OpenCallback]:
        keys = [job_key(name) for name in dict.fromkeys(callback.job for callback in callbacks)]
        jobs = {job.name: job for job in map(readable_job, self.table.items(keys))}
        return [OpenCallback(callback, jobs.get(callback.job)) for callback in callbacks]

    def ended_since(self, moment: datetime, limit: int) -> Collection[str]:
        keys = "ended_pk = :ended AND ended_sk > :since"
        values = {":ended": ENDED_PARTITION, ":since": sort_keys.moment(moment)}
        items = self.table.index("ended", keys, values, page_size=limit, newest_first=True, only="pk")
        return {item["pk"]["S"].removeprefix(JOB_PREFIX) for item in islice(items, limit)}

    def open_for(self, job: str) -> Sequence[Callback]:
        keys, values = "pk = :pk AND sk BETWEEN :first AND :last", {":first": f"{job}#", ":last": f"{job}$"}
        items, _ = self.table.page(keys, values | {":pk": CALLBACKS}, size=MOST_OPEN)
        read = (read_or_placeholder(callback_from, item, lambda _: None) for item in items)
        return [callback for callback in read if callback is not None]

    def close(self, callback: Callback) -> None:
        self.table.write(delete(callback_key(callback)))


def add_callback(callback: Callback) -> Write:
    return put(callback_key(callback) | record(converter.unstructure(callback), _WRITER), ABSENT)


def callback_key(callback: Callback) -> Item:
    return attribute_values({"pk": CALLBACKS, "sk": f"{callback.job}#{callback.key}"})
