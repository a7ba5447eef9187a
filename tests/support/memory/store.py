"""The queue's records in memory, with the conditions of the DynamoDB adapters.

All values are frozen, so `copy` copies only a few dictionaries.
"""

import json
from collections.abc import Collection
from dataclasses import replace

from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.documents.controls import Controls
from scheduler.core.jobs.job import Job
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.errors.internal import StaleControls, UnknownJob
from scheduler.errors.refusals import NameTaken, TokenReused, UnreadableBody
from scheduler.ports.job_store import JobStores
from scheduler.ports.training import TrainingRequest
from support.memory.attempts import MemoryAttempts
from support.memory.index import MemoryIndex
from support.memory.lease import MemoryLease


class MemoryStore(MemoryIndex, MemoryAttempts, MemoryLease):
    """A JobStore, a LeaseStore and a ControlStore."""

    def copy(self) -> "MemoryStore":
        return replace(
            self,
            jobs={**self.jobs},
            requests={**self.requests},
            attempts={**self.attempts},
            warm_pools={**self.warm_pools},
            tokens={**self.tokens},
        )

    def stores(self) -> JobStores:
        return JobStores(self, self, self, self, self, self, self)

    def submit(self, job: Job, *requests: TrainingRequest) -> None:
        if job.name in self.jobs:
            raise NameTaken(job.name)
        if job.client_token is not None:
            if (job.owner_key, job.client_token) in self.tokens:
                raise TokenReused
            self.tokens[job.owner_key, job.client_token] = job.name
        self.jobs[job.name] = job
        self.requests |= {_body(job.name, number): json.dumps(request) for number, request in enumerate(requests)}
        self._wake(by="api")

    def name_for_token(self, owner_key: str, token: str) -> str | None:
        return self.tokens.get((owner_key, token))

    def get(self, name: str) -> Job:
        if name not in self.jobs:
            raise UnknownJob(name)
        return self.jobs[name]

    def request(self, name: str, choice: int = 0) -> dict[str, object]:
        if _body(name, choice) not in self.requests:
            raise UnreadableBody(name)
        body: dict[str, object] = json.loads(self.requests[_body(name, choice)])
        return body

    def save(self, job: Job, *, by: str) -> Job:
        self._check_version(job)
        self._wake(by)
        return self._write(job)

    def read_learned(self, owners: Collection[str], teams: Collection[str], *, consistent: bool = True) -> Learned:  # noqa: ARG002 - memory never lags
        return Learned(
            {owner: kinds for owner, kinds in self.learned.runs.items() if owner in owners},
            {team: usage for team, usage in self.learned.usage.items() if team in teams},
        )

    def spent(self, keys: Collection[SpentTimeKey]) -> dict[SpentTimeKey, SpentTime | None]:
        return {key: self.spending_counts[key] for key in keys if key in self.spending_counts}

    def spent_in(self, month: str) -> dict[SpentTimeKey, SpentTime | None]:
        return {key: spent for key, spent in self.spending_counts.items() if key.month == month}

    def reconciliation_state(self) -> ReconciliationState:
        return self.last_reconciliation

    def save_reconciliation_state(self, reconciliation_state: ReconciliationState, lease: Lease) -> None:
        self._check_fence(lease)
        self.last_reconciliation = reconciliation_state

    def capacity(self) -> CapacityMemory:
        return self.capacity_memory

    def save_capacity(self, memory: CapacityMemory, lease: Lease) -> None:
        self._check_fence(lease)
        self.capacity_memory = memory

    def read(self) -> Controls:
        return self.controls

    def write(self, controls: Controls, *, by: str) -> Controls:
        if controls.version != self.controls.version:
            raise StaleControls(f"version {controls.version}")
        self.controls = replace(controls, version=controls.version + 1)
        self._wake(by)
        return self.controls


def _body(name: str, choice: int) -> str:
    return f"{name}#{choice}" if choice else name
