"""Stores the queue's records in memory, under the same conditions as the DynamoDB adapters.

All values are frozen, so `copy` copies only a few dictionaries.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from secrets import token_hex

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.capacity.locations import Location
from scheduler.core.history.callbacks.callback import Callback, OpenCallback
from scheduler.core.jobs.job import NONCE_BYTES, Job
from scheduler.core.jobs.start_conditions import ArrayPlace
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.requests.predecessor_models import with_models
from scheduler.core.sections.controls import Controls
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.errors.internal import BodyUnavailable, StaleControls, UnknownJob
from scheduler.errors.refusals import NameTaken, TokenReused
from scheduler.errors.unreadable import ReplacedBody, UnreadableBody
from scheduler.ports.job_store import JobStores
from scheduler.ports.training import TrainingRequest
from support.memory.arrays import MemoryArrays
from support.memory.attempts import MemoryAttempts
from support.memory.index import MemoryIndex
from support.memory.lease import MemoryLease


class MemoryStore(MemoryIndex, MemoryAttempts, MemoryArrays, MemoryLease):
    """Implements the ports `JobStore`, `LeaseStore` and `ControlStore`."""

    def copy(self) -> "MemoryStore":
        return replace(
            self,
            jobs={**self.jobs},
            requests={**self.requests},
            attempts={**self.attempts},
            ended_attempts={**self.ended_attempts},
            warm_pools={**self.warm_pools},
            callbacks={**self.callbacks},
            arrays={**self.arrays},
            array_bodies={**self.array_bodies},
            tokens={**self.tokens},
            past_controls=[*self.past_controls],
        )

    def stores(self) -> JobStores:
        return JobStores(self, self, self, self, self, self, self, self, self, self)

    def submit(self, job: Job, *requests: TrainingRequest, callbacks: Sequence[Callback] = ()) -> None:
        if job.name in self.jobs:
            raise NameTaken(job.name)
        if job.client_token is not None:
            if (job.owner_key, job.client_token) in self.tokens:
                raise TokenReused
            self.tokens[job.owner_key, job.client_token] = job.name
        bodies = [json.dumps(request) for request in requests]
        digests = tuple(map(_digest, bodies))
        self.jobs[job.name] = replace(job, body_digests=digests, nonce=token_hex(NONCE_BYTES))
        self.requests |= {_body(job.name, number): body for number, body in enumerate(bodies)}
        self.add(callbacks)
        self._wake(by="api")

    def add(self, callbacks: Sequence[Callback]) -> None:
        for callback in callbacks:
            self.callbacks.setdefault((callback.job, callback.key), callback)

    def open(self) -> Sequence[Callback]:
        return [found for _, found in sorted(self.callbacks.items())]

    def with_jobs(self, callbacks: Sequence[Callback]) -> Sequence[OpenCallback]:
        return [OpenCallback(one, self.jobs.get(one.job)) for one in callbacks]

    def ended_since(self, moment: datetime, limit: int) -> Collection[str]:
        ended = [job for job in self.jobs.values() if job.is_finished and job.status.updated_at > moment]
        return {job.name for job in sorted(ended, key=lambda job: job.status.updated_at)[-limit:]}

    def open_for(self, job: str) -> Sequence[Callback]:
        return [found for (name, _), found in sorted(self.callbacks.items()) if name == job]

    def close(self, callback: Callback) -> None:
        self.callbacks.pop((callback.job, callback.key), None)

    def name_for_token(self, owner_key: str, token: str) -> str | None:
        return self.tokens.get((owner_key, token))

    def get(self, name: str) -> Job:
        if name not in self.jobs:
            raise UnknownJob(name)
        return self.jobs[name]

    def predecessors(self, names: Collection[str]) -> dict[str, Job]:
        return {name: self.jobs[name] for name in names if name in self.jobs}

    def with_all_attempts(self, job: Job) -> Job:
        moved = self.ended_attempts.get(job.name, {})
        return job.with_all_attempts(ended for _, ended in sorted(moved.items()))

    def request(self, name: str, choice: int = 0) -> dict[str, object]:
        job = self.jobs.get(name)
        if job is not None and job.place:
            return self._child_request(job, job.place, choice)
        found = self._read_body(job, choice) if job else UnreadableBody(name)
        if isinstance(found, UnreadableBody):
            raise found
        return found

    def requests_of(self, jobs: Sequence[Job]) -> list[TrainingRequest | UnreadableBody | BodyUnavailable]:
        return [
            self._child_request(job, job.place, job.spec.choice) if job.place else self._read_body(job, job.spec.choice)
            for job in jobs
        ]

    def _child_request(self, child: Job, place: ArrayPlace, choice: int) -> dict[str, object]:
        requests, parameters = self.array_bodies[place.array]
        return with_models(requests.of(child.name, place.index, parameters.sets[place.index], choice), child)

    def _read_body(self, job: Job, choice: int) -> dict[str, object] | UnreadableBody:
        body = self.requests.get(_body(job.name, choice))
        if body is None:
            return UnreadableBody(job.name)
        if _digest(body) not in job.body_digests[choice : choice + 1]:
            return ReplacedBody(job.name)
        return with_models(json.loads(body), job)

    def save(self, job: Job, *, by: str) -> Job:
        self._check_version(job)
        self._wake(by)
        return self._write(job, by)

    def save_idle_check(self, job: Job, *, by: str) -> Job:
        self._check_version(job)
        return self.save(replace(self.jobs[job.name], status=job.status), by=by)

    def read_learned(
        self,
        owners: Collection[str],
        usage_keys: Collection[str],
        locations: Collection[Location] = (),
        *,
        consistent: bool = True,  # noqa: ARG002 - memory never lags
    ) -> Learned:
        return Learned(
            {owner: kinds for owner, kinds in self.learned.runs.items() if owner in owners},
            {key: usage for key, usage in self.learned.usage.items() if key in usage_keys},
            {place: known for place, known in self.learned.statistics.items() if place in locations},
        )

    def spent(self, keys: Collection[SpentTimeKey]) -> dict[SpentTimeKey, SpentTime | None]:
        return {key: self.spending_counts[key] for key in keys if key in self.spending_counts}

    def spent_in(self, month: str) -> dict[SpentTimeKey, SpentTime | None]:
        return {key: spent for key, spent in self.spending_counts.items() if key.month == month}

    def reconciliation_state(self, kind: WorkKind) -> ReconciliationState:
        return self.last_processing_reconciliation if kind is WorkKind.PROCESSING else self.last_reconciliation

    def save_reconciliation_state(self, kind: WorkKind, state: ReconciliationState, lease: Lease) -> None:
        self._check_fence(lease)
        if kind is WorkKind.PROCESSING:
            self.last_processing_reconciliation = state
        else:
            self.last_reconciliation = state

    def capacity(self) -> CapacityMemory:
        return self.capacity_memory

    def save_capacity(self, memory: CapacityMemory, lease: Lease) -> None:
        self._check_fence(lease)
        self.capacity_memory = memory

    def read(self) -> Controls:
        return self.controls

    def before(self, version: int, limit: int) -> list[Controls]:
        return [controls for controls in reversed(self.past_controls) if controls.version < version][:limit]

    def write(self, controls: Controls, *, by: str) -> Controls:
        if controls.version != self.controls.version:
            raise StaleControls(f"version {controls.version}")
        self.controls = replace(controls, version=controls.version + 1)
        self.past_controls.append(self.controls)
        self._wake(by)
        return self.controls


def _digest(body: str) -> str:
    return sha256(body.encode()).hexdigest()


def _body(name: str, choice: int) -> str:
    return f"{name}#{choice}" if choice else name
