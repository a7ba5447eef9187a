"""Groups a simulated account's services, for calls to its functions and by them."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from local_sagemaker.simulation import Simulation
from support.account.agenda import Agenda
from support.account.processes import Process, Processes
from support.dynamodb.table import Table
from support.faults.call_faults import FaultPlan
from support.faults.report_faults import ReportFaults


class AccountServices(Protocol):
    fault_plan: FaultPlan
    report_faults: ReportFaults
    simulation: Simulation
    agenda: Agenda
    processes: Processes
    table: Table
    settings: dict[str, str]

    @property
    def now(self) -> float: ...

    def invoke(
        self, function: str, event: Mapping[str, Any], request_id: str, then: Callable[[Process], object]
    ) -> None: ...

    def evaluate_alarms(self) -> None: ...

    def note(self, text: str) -> None: ...
