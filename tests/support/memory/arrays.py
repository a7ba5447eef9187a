"""Stores arrays in memory, under the same conditions as the DynamoDB adapter."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from secrets import token_hex

from scheduler.adapters.dynamodb.records.array_records import place_in_list
from scheduler.core.jobs.job import NONCE_BYTES, Job
from scheduler.core.requests.arrays.children import ChildRequests
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.core.requests.arrays.parameters import ParameterSets
from scheduler.errors.internal import StaleJob, UnknownArray
from scheduler.errors.refusals import NameTaken, TokenReused
from scheduler.ports.array_store import ArrayPage
from support.memory.records import MemoryRecords


class MemoryArrays(MemoryRecords):
    """Implements the port `ArrayStore`."""

    def submit_array(self, array: JobArray, requests: ChildRequests, parameters: ParameterSets) -> None:
        if array.name in self.arrays:
            raise NameTaken(array.name)
        if array.first.client_token is not None:
            if (array.first.owner_key, array.first.client_token) in self.tokens:
                raise TokenReused
            self.tokens[array.first.owner_key, array.first.client_token] = array.name
        self.arrays[array.name] = array
        self.array_bodies[array.name] = requests, parameters
        self._wake(by="api")

    def array(self, name: str) -> JobArray:
        if name not in self.arrays:
            raise UnknownArray(name)
        return self.arrays[name]

    def arrays_named(self, names: Collection[str]) -> Mapping[str, JobArray | None]:
        return {name: self.arrays[name] for name in names if name in self.arrays}

    def save_array(self, array: JobArray, *, by: str) -> JobArray:
        self._check_array(array)
        self._wake(by)
        return self._write_array(array)

    def create_child(self, array: JobArray, child: Job) -> JobArray:
        if child.name in self.jobs:
            raise NameTaken(child.name)
        self._check_array(array)
        self.jobs[child.name] = replace(child, nonce=token_hex(NONCE_BYTES))
        self.on_change(self.jobs[child.name], "schedule")
        return self._write_array(array)

    def parameters_of(self, array: JobArray, indexes: Sequence[int]) -> Mapping[int, Mapping[str, str]]:
        _, parameters = self.array_bodies[array.name]
        return {index: parameters.of(index) for index in indexes}

    def due_arrays(self, limit: int) -> tuple[str, ...]:
        return tuple(islice((array.name for array in self._unfinished() if array.is_due), limit))

    def unfinished_arrays(self, token: str | None, limit: int) -> ArrayPage:
        behind = (array for array in self._unfinished() if place_in_list(array) > (token or ""))
        found = tuple(islice(behind, limit))
        return ArrayPage(found, place_in_list(found[-1]) if len(found) == limit else None)

    def ended_arrays(self, limit: int) -> tuple[JobArray, ...]:
        ended = [array for array in self.arrays.values() if array.is_finished]
        newest = sorted(ended, key=lambda array: (array.updated_at, array.name), reverse=True)
        return tuple(newest[:limit])

    def _unfinished(self) -> list[JobArray]:
        return sorted((array for array in self.arrays.values() if not array.is_finished), key=place_in_list)

    def _check_array(self, array: JobArray) -> None:
        if self.arrays[array.name].version != array.version:
            raise StaleJob(array.name)

    def _write_array(self, array: JobArray) -> JobArray:
        self.arrays[array.name] = replace(array, version=array.version + 1)
        return self.arrays[array.name]
