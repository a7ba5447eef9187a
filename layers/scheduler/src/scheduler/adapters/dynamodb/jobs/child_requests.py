"""Builds each child's request from two records: the array's requests and the child's parameters.

So a child needs no record besides its job's record, and a cycle needs no permission to write requests.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scheduler.adapters.dynamodb.records.array_records import child_requests_key, parameters_key
from scheduler.adapters.dynamodb.records.items import NO_DIGEST, refusing_unreadable_body
from scheduler.adapters.dynamodb.records.record_converter import Item
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.start_conditions import ArrayPlace
from scheduler.core.requests.arrays.children import SETS_PER_RECORD, ChildRequests, record_of
from scheduler.core.requests.arrays.parameters import Values


def body_keys_of(place: ArrayPlace) -> list[Item]:
    """Returns the keys of the records from which the child's request is built."""
    return [child_requests_key(place.array), parameters_key(place.array, record_of(place.index))]


@dataclass(frozen=True, slots=True)
class ChildBodies:
    """Unpacks the array records that one call has read, each only once."""

    requests: S3Requests
    items: Mapping[str, Item]  # by the text of their keys
    _unpacked: dict[str, Mapping[str, Any]] = field(default_factory=dict, init=False)

    def request_of(self, job: Job, place: ArrayPlace) -> dict[str, Any]:
        """Returns the request for the child's current choice. Raises UnreadableBody or BodyUnavailable."""
        of_requests, of_values, *_ = (*job.body_digests, NO_DIGEST, NO_DIGEST)
        values = self.values_in(place.array, place.index, of_values)
        with refusing_unreadable_body(child_requests_key(place.array), job.name):
            return self.requests_in(place.array, of_requests).of(job.name, place.index, values, job.spec.choice)

    def requests_in(self, array: str, digest: str) -> ChildRequests:
        body = self._body(child_requests_key(array), array, digest)
        return ChildRequests(tuple(body["requests"]), tuple(body["names"]))

    def values_in(self, array: str, index: int, digest: str) -> Values:
        body = self._body(parameters_key(array, record_of(index)), array, digest)
        return tuple(body["sets"][index % SETS_PER_RECORD])

    def _body(self, key: Item, array: str, digest: str) -> Mapping[str, Any]:
        if digest not in self._unpacked:
            with refusing_unreadable_body(key, array):
                self._unpacked[digest] = self.requests.unpack(self.items.get(key_text(key), {}), digest)
        return self._unpacked[digest]


def key_text(item: Item) -> str:
    return f"{item['pk']['S']} {item['sk']['S']}"
