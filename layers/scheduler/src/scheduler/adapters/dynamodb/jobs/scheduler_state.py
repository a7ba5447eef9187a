"""Stores the state that a cycle leaves for the next one: reconciliation, capacity, and the ledger's counts."""

from dataclasses import dataclass

from scheduler.adapters.dynamodb.lease import ledger
from scheduler.adapters.dynamodb.records.items import (
    capacity_item,
    capacity_key,
    ledger_key,
    readable_capacity,
    readable_reconciliation_state,
    reconciliation_key,
)
from scheduler.adapters.dynamodb.records.record_converter import converter, record
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import put
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.ports.job_store import SCHEDULE


@dataclass(frozen=True, slots=True)
class DynamoDBSchedulerState:
    """Each write checks the lease and needs no other condition: only the lease's holder changes this state."""

    table: Table

    def reconciliation_state(self, kind: WorkKind) -> ReconciliationState:
        item = self.table.item(reconciliation_key(kind))
        return readable_reconciliation_state(item) if item else ReconciliationState()

    def save_reconciliation_state(self, kind: WorkKind, state: ReconciliationState, lease: Lease) -> None:
        item = reconciliation_key(kind) | record(converter.unstructure(state), SCHEDULE)
        self.table.transact(ledger.check_lease(lease), put(item))

    def capacity(self) -> CapacityMemory:
        item = self.table.item(capacity_key())
        return readable_capacity(item) if item else CapacityMemory()

    def save_capacity(self, memory: CapacityMemory, lease: Lease) -> None:
        self.table.transact(ledger.check_lease(lease), put(capacity_item(memory, changed_by=SCHEDULE)))

    def correct_ledger(self, held: Demand, lease: Lease) -> bool:
        correction = ledger.correction(self.table.item(ledger_key()) or {}, held, lease)
        if correction is not None:
            self.table.transact(correction)
        return correction is not None
