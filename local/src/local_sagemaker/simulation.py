"""Runs SageMaker Training on a virtual clock, inside the process, for tests that simulate days in a second.

simulation = Simulation(lambda request: Workload(trains=3600))
client = simulation.client()          # a boto3 client that never leaves the process
client.create_training_job(...)
simulation.run(seconds=7200)
simulation.events                     # the events sent to EventBridge

Tests script faults too: `faults` affects calls, the rules of `machine.fault_rules` affect calls and events, and
`interrupt` and `fail` affect jobs.
"""

import heapq
import json
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.exceptions import ReadTimeoutError
from botocore.model import OperationModel
from botocore.parsers import ResponseParserFactory

from local_sagemaker.api.protocol import answer, fault_of
from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.commands import (
    Command,
    Discard,
    Exited,
    Kill,
    Measured,
    MessageSent,
    MetricValue,
    Prepare,
    Prepared,
    Report,
    Run,
    RunFailed,
    StateChanged,
    Terminate,
    Upload,
    Uploaded,
)
from local_sagemaker.state_machine.fault_injection import Fault, Unanswered
from local_sagemaker.state_machine.machine import StateMachine

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_sagemaker import SageMakerClient

_KILLED = 137
# botocore takes long to collect the text for this header.
_CLIENT_CONFIG = Config(user_agent="simulated")


@dataclass(frozen=True, slots=True)
class Workload:
    """The work of one attempt: its durations in seconds, its end, and the metrics that its log shows.

    A trial of a tuning job needs values of the objective metric. The request's HyperParameters may determine them.
    """

    trains: float = 600
    exit_code: int = 0
    message: str = ""
    prepares: float = 60
    uploads: float = 30
    heeds_stop_after: float | None = 5  # None: ignores SIGTERM until SIGKILL
    epochs: tuple[Mapping[str, float], ...] = ()  # metric values, printed at even intervals; the last ones at the end


@dataclass(slots=True)
class _Work:
    """The work on one job. Only the most recently planned reports count."""

    workload: Workload
    first_report: int = 0
    metrics: dict[str, MetricValue] = field(default_factory=dict)  # the last value of each


@dataclass(order=True, slots=True)
class _PlannedReport:
    at: float
    number: int
    name: str = field(compare=False)
    report: Report = field(compare=False)


class Simulation:
    """A simulated account. `workload` scripts a job from its request, and `faults` a call from its operation and
    parameters.

    The simulation calls `on_event` with each event that it sends.
    """

    def __init__(
        self,
        workload: Callable[[dict[str, Any]], Workload] = lambda _request: Workload(),
        *,
        behaviour: Behaviour | None = None,
        seed: int = 0,
        now: float = 1_767_225_600,  # 2026-01-01
        on_event: Callable[[dict[str, Any]], None] = lambda _event: None,
        faults: Callable[[str, dict[str, Any]], Fault | None] = lambda _operation, _parameters: None,
    ) -> None:
        self.now = now
        self.machine = StateMachine(behaviour or Behaviour(), seed)
        self.events: list[dict[str, Any]] = []
        self.messages: list[MessageSent] = []
        self._workload = workload
        self._on_event = on_event
        self._faults = faults
        self._works: dict[str, _Work] = {}
        self._planned: list[_PlannedReport] = []
        self._numbers = count()

    def client(self) -> "SageMakerClient":
        """Returns a real boto3 client: parameters, answers, errors, paginators and waiters are boto3's own."""
        client = _client_like(_client_in(self.machine.behaviour.region))
        client.meta.events.register("before-call.sagemaker", self._answer)  # type: ignore[arg-type] # the stubs allow no return value
        return client

    def run(self, seconds: float) -> None:
        """Advances virtual time."""
        end = self.now + seconds
        self._carry_out()
        while (moment := self.next_due()) <= end:
            self.now = max(self.now, moment)
            self._report_planned()
            self._carry_out()
        self.now = max(self.now, end)  # a slow call may have advanced time further

    def next_due(self) -> float:
        """Returns the time of the next timed change or report."""
        due = self.machine.next_due()
        return min(due, self._planned[0].at) if self._planned else due

    def interrupt(self, name: str) -> None:
        """Interrupts a job by taking its spot instances."""
        self.machine.interrupt(name, self.now)
        self._carry_out()

    def provision(self, name: str) -> None:
        """Gives capacity to a job whose Behaviour.startup is None."""
        self.machine.provision(name, self.now)
        self._carry_out()

    def fail(self, name: str, reason: str) -> None:
        """Fails the job for a reason within the service, such as lifecycle.CAPACITY_ERROR."""
        self.machine.report(name, RunFailed(reason), self.now)
        self._carry_out()

    def _answer(self, model: OperationModel, params: dict[str, Any], **_: object) -> tuple[SimpleNamespace, Any]:
        target, body = f"SageMaker.{model.name}", params["body"]
        fault = self._faults(model.name, json.loads(body)) or fault_of(self.machine, target, body)
        try:
            reply = answer(self.machine, target, body, self.now, fault)
        except Unanswered as lost:
            raise ReadTimeoutError(endpoint_url="https://sagemaker") from lost
        finally:
            self.run(fault.delay_seconds)
        headers = {"x-amzn-requestid": f"simulated-{next(self._numbers)}"}
        raw = {"status_code": reply.status, "headers": headers, "body": reply.body}
        parsed = _parser().parse(raw, model.output_shape)
        return SimpleNamespace(status_code=reply.status), parsed

    def _report_planned(self) -> None:
        while self._planned and self._planned[0].at <= self.now:
            planned = heapq.heappop(self._planned)
            work = self._works.get(planned.name)
            if work is not None and planned.number >= work.first_report:
                self.machine.report(planned.name, _with_metrics(planned.report, work), self.now)

    def _carry_out(self) -> None:
        for effect in self.machine.advance(self.now):
            if isinstance(effect, StateChanged):
                self.events.append(effect.event)
                self._on_event(effect.event)
            elif isinstance(effect, MessageSent):
                self.messages.append(effect)
            else:
                self._work(effect)

    def _work(self, command: Command) -> None:
        match command:
            case Prepare(name):
                self._works[name] = _Work(self._workload(self.machine.work_of(name)[0]))
                self._plan(name, self._works[name].workload.prepares, Prepared())
            case Run(name):
                self._plan_training(name, self._works[name].workload)
            case Terminate(name):
                seconds = self._works[name].workload.heeds_stop_after
                if seconds is not None:
                    self._plan(name, seconds, Exited(0))
            case Kill(name):
                self._plan(name, 0, Exited(_KILLED))
            case Upload(name):
                self._plan(name, self._works[name].workload.uploads, Uploaded())
            case Discard(name):
                self._works.pop(name, None)

    def _plan_training(self, name: str, workload: Workload) -> None:
        count, epochs = len(workload.epochs), []
        for number, values in enumerate(workload.epochs, start=1):
            at = workload.trains * number / count
            metrics = tuple(MetricValue(metric, value, self.now + at) for metric, value in values.items())
            epochs.append((at, Measured(metrics)))
        self._plan(name, workload.trains, Exited(workload.exit_code, workload.message), before=epochs)

    def _plan(self, name: str, seconds: float, report: Report, before: Sequence[tuple[float, Report]] = ()) -> None:
        planned = [
            _PlannedReport(self.now + delay, next(self._numbers), name, due)
            for delay, due in (*before, (seconds, report))
        ]
        self._works[name].first_report = planned[0].number
        for entry in planned:
            heapq.heappush(self._planned, entry)


def _with_metrics(report: Report, work: _Work) -> Report:
    """Stores measured values, and adds the last values to the report about the job's end."""
    if isinstance(report, Measured):
        work.metrics |= {metric.name: metric for metric in report.metrics}
    return replace(report, metrics=tuple(work.metrics.values())) if isinstance(report, Exited) else report


@cache
def _parser() -> Any:
    """Returns a parser that reads times as UTC, as on Lambda. Finding the time zone took most of an answer's time."""
    parsers = ResponseParserFactory()
    parsers.set_parser_defaults(timestamp_parser=lambda seconds: datetime.fromtimestamp(float(seconds), UTC))
    return parsers.create_parser("json")


def _client_like(client: "SageMakerClient") -> "SageMakerClient":
    """Copies a client, with separate handlers: creating a client takes as long as a short simulation."""
    other = object.__new__(type(client))
    vars(other).update(vars(client), meta=copy(client.meta))
    other.meta.events = copy(client.meta.events)
    return other


@cache
def _client_in(region: str) -> "SageMakerClient":
    """Creates a client for the region. Nothing checks its credentials."""
    session = boto3.Session(aws_access_key_id="simulated", aws_secret_access_key="simulated")  # noqa: S106 - same
    return session.client("sagemaker", region_name=region, config=_CLIENT_CONFIG)
