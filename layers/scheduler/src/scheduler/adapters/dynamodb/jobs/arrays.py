"""Arrays in the table: their records, requests and parameters, and the creation of their children."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from heapq import merge
from itertools import islice
from secrets import token_hex

from scheduler.adapters.dynamodb.jobs.child_requests import ChildBodies, key_text
from scheduler.adapters.dynamodb.jobs.lists import BEFORE_ALL
from scheduler.adapters.dynamodb.records.array_records import (
    ARRAYS_PARTITION,
    DUE_ARRAYS_PARTITION,
    ENDED_ARRAYS_PARTITION,
    array_in,
    array_item,
    array_key,
    child_requests_key,
    name_of_array,
    parameters_key,
    readable_array,
)
from scheduler.adapters.dynamodb.records.items import token_key
from scheduler.adapters.dynamodb.records.job_records import job_item
from scheduler.adapters.dynamodb.records.record_converter import Item, record
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, Write, put
from scheduler.core.jobs.job import NONCE_BYTES, Job
from scheduler.core.requests.arrays.children import SETS_PER_RECORD, ChildRequests, record_of
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.core.requests.arrays.parameters import ParameterSets, values_by_name
from scheduler.errors.internal import StaleJob, UnknownArray
from scheduler.errors.refusals import NameTaken, TokenReused
from scheduler.ports.array_store import ArrayPage
from scheduler.ports.job_store import API, SCHEDULE

SUBMIT = "submit"  # wakes no cycle: the array's record in the same transaction does


@dataclass(frozen=True, slots=True)
class DynamoDBArrayStore:
    table: Table
    requests: S3Requests

    def submit_array(self, array: JobArray, requests: ChildRequests, parameters: ParameterSets) -> None:
        taken, first = NameTaken(array.name), array.first
        bodies = [(child_requests_key(array.name), self.requests.pack(array.name, asdict(requests)))]
        for number, start in enumerate(range(0, array.size, SETS_PER_RECORD)):
            sets = {"sets": parameters.sets[start : start + SETS_PER_RECORD]}
            bodies.append((parameters_key(array.name, number), self.requests.pack(array.name, sets)))
        sealed = replace(first, body_digests=tuple(body.digest for _, body in bodies))
        writes = [put(array_item(replace(array, first=sealed), changed_by=API), ABSENT, refusal=taken)]
        writes += [put(key | record(body.attributes, SUBMIT), ABSENT, refusal=taken) for key, body in bodies]
        if first.client_token is not None:
            token = token_key(first.owner_key, first.client_token) | record({"job_name": array.name}, SUBMIT)
            writes.append(put(token, ABSENT, refusal=TokenReused()))
        self.table.transact(*writes)

    def array(self, name: str) -> JobArray:
        item = self.table.item(array_key(name))
        if item is None:
            raise UnknownArray(name)
        return array_in(item)

    def save_array(self, array: JobArray, *, by: str) -> JobArray:
        self.table.transact(_rewrite(array, by))
        return _written(array)

    def create_child(self, array: JobArray, child: Job) -> JobArray:
        sealed = replace(child, nonce=token_hex(NONCE_BYTES))
        added = put(job_item(sealed, changed_by=SCHEDULE), ABSENT, refusal=NameTaken(child.name))
        self.table.transact(_rewrite(array, SCHEDULE), added)
        return _written(array)

    def parameters_of(self, array: JobArray, indexes: Sequence[int]) -> dict[int, dict[str, str]]:
        digests, name = array.first.body_digests, array.name
        keys = [child_requests_key(name), *(parameters_key(name, n) for n in sorted({*map(record_of, indexes)}))]
        bodies = ChildBodies(self.requests, {key_text(item): item for item in self.table.items(keys)})
        names = bodies.requests_in(name, digests[0]).names
        values = {index: bodies.values_in(name, index, digests[1 + record_of(index)]) for index in indexes}
        return {index: values_by_name(names, found, index) for index, found in values.items()}

    def due_arrays(self, limit: int) -> tuple[str, ...]:
        items = self._behind(BEFORE_ALL, DUE_ARRAYS_PARTITION, limit)
        return tuple(name_of_array(item) for item in islice(items, limit))

    def unfinished_arrays(self, token: str | None, limit: int) -> ArrayPage:
        behind = token or BEFORE_ALL
        lists = [self._behind(behind, partition, limit) for partition in (DUE_ARRAYS_PARTITION, ARRAYS_PARTITION)]
        found = [*islice(merge(*lists, key=_place_of), limit)]
        return ArrayPage(tuple(_readable(found)), _place_of(found[-1]) if len(found) == limit else None)

    def ended_arrays(self, limit: int) -> tuple[JobArray, ...]:
        keys, values = "ended_pk = :ended", {":ended": ENDED_ARRAYS_PARTITION}
        items = self.table.index("ended", keys, values, page_size=limit, newest_first=True)
        return tuple(_readable(islice(items, limit)))

    def _behind(self, token: str, partition: str, limit: int) -> Iterator[Item]:
        keys, values = "queue_pk = :partition AND line_sk > :behind", {":partition": partition, ":behind": token}
        return self.table.index("lines", keys, values, page_size=limit)


def _rewrite(array: JobArray, by: str) -> Write:
    stale = StaleJob(f"the array {array.name}, version {array.version}")
    item, names = array_item(_written(array), changed_by=by), {"#version": "version"}
    return put(item, "#version = :version", {":version": array.version}, stale, names)


def _written(array: JobArray) -> JobArray:
    return replace(array, version=array.version + 1)


def _place_of(item: Item) -> str:
    place: str = item["line_sk"]["S"]
    return place


def _readable(items: Iterable[Item]) -> Iterator[JobArray]:
    return (array for array in map(readable_array, items) if array is not None)
