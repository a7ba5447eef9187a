"""Reads the jobs in the table that wait for other jobs, and the jobs that they wait for."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import islice

from scheduler.adapters.dynamodb.jobs.lists import BEFORE_ALL
from scheduler.adapters.dynamodb.records.array_records import array_key, name_of_array, readable_array
from scheduler.adapters.dynamodb.records.job_records import (
    DEFERRED_PARTITION,
    HELD_OR_PARKED_PARTITION,
    job_key,
    readable_job,
)
from scheduler.adapters.dynamodb.records.record_converter import Item
from scheduler.adapters.dynamodb.records.sort_keys import successors_of
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.ports.job_index import Page


@dataclass(frozen=True, slots=True)
class DynamoDBDependencies:
    table: Table

    def predecessors(self, names: Collection[str]) -> dict[str, Job]:
        jobs = map(readable_job, self.table.items([job_key(name) for name in sorted(names)]))
        return {job.name: job for job in jobs}

    def arrays_named(self, names: Collection[str]) -> dict[str, JobArray | None]:
        items = self.table.items([array_key(name) for name in sorted(names)])
        return {name_of_array(item): readable_array(item) for item in items}

    def successors(self, name: str, limit: int) -> tuple[Job, ...]:
        first, last = successors_of(name)
        keys, values = "queue_pk = :deferred AND line_sk BETWEEN :first AND :last", {":first": first, ":last": last}
        items = self.table.index("lines", keys, values | {":deferred": DEFERRED_PARTITION}, page_size=limit)
        return tuple(job for job in map(readable_job, islice(items, limit)) if job.is_readable)

    def all_successors(self, token: str | None, limit: int) -> Page:
        partitions = (DEFERRED_PARTITION, HELD_OR_PARKED_PARTITION)
        lines = [self._behind(token or BEFORE_ALL, partition, limit) for partition in partitions]
        found = [*islice(merge(*lines, key=_line_key_of), limit)]
        jobs = tuple(job for job in map(readable_job, found) if job.is_readable)
        return Page(jobs, _line_key_of(found[-1]) if len(found) == limit else None)

    def _behind(self, token: str, partition: str, limit: int) -> Iterator[Item]:
        keys, values = "queue_pk = :partition AND line_sk > :behind", {":partition": partition, ":behind": token}
        return self.table.index("lines", keys, values, page_size=limit)


def _line_key_of(item: Item) -> str:
    key: str = item["line_sk"]["S"]
    return key
