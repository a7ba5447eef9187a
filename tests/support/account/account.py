"""Runs the real functions and wiring between simulated AWS services, in one process and on one virtual clock.

Everything below boto3 is simulated: SageMaker (the emulator's state machine), the table with its stream and indexes,
the bucket, EventBridge's deliveries and sweeps. Every event is an entry in the agenda, so the same seed gives the same
world.
"""

import os
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from api import handler as api
from callbacks import handler as callbacks
from history import handler as history
from idle_alarm import handler as idle_alarm
from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.machine import StateMachine
from local_sagemaker.state_machine.processing.job import processing_key
from schedule import handler as schedule
from scheduler.adapters.dynamodb.config_store import DynamoDBConfigStore
from scheduler.adapters.dynamodb.records import request_bodies
from scheduler.adapters.dynamodb.table import Table as QueueTable
from scheduler.adapters.https import parallel
from scheduler.core.jobs import job
from scheduler.errors.internal import SchedulerError
from scheduler.observe.configuration import ConfigurationReader
from scheduler.wiring import shared
from scheduler.wiring import webhooks as webhooks_wiring
from support.account.agenda import Agenda
from support.account.function_calls import ADA, Answer, FunctionCalls, Then
from support.account.function_wirings import clear_built, use_clock
from support.account.gpu_metrics import CloudWatch
from support.account.monitoring import Monitoring
from support.account.orchestrators import Orchestrators
from support.account.processes import Process, Processes
from support.account.service_calls import ServiceCalls
from support.account.webhooks import OneByOne, Webhooks
from support.builders.configurations import configure
from support.dynamodb.client import TableClient
from support.dynamodb.table import Table
from support.faults.call_faults import FaultPlan
from support.faults.fault_points import Killed
from support.faults.report_faults import ReportFaults, no_report_faults
from support.roles.checked_client import CheckedClient, PermissionCheck
from support.roles.required_permissions import StackLocation
from support.stack.environment import environment, roles, timeout_of
from training_events import handler as training_events
from webhooks import handler as webhooks

FUNCTIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "api": api.handle,
    "schedule": schedule.handle,
    "training_events": training_events.handle,
    "idle_alarm": idle_alarm.handle,
    "history": history.handle,
    "callbacks": callbacks.handle,
    "webhooks": webhooks.handle,
}
#: The only function with state between calls: two calls at once must not share it.
_STATEFUL = "schedule"
#: Kept through cold starts: the logger, because its handlers would accumulate, and the settings, fixed for a world.
_KEPT = frozenset({"logger", "settings"})
#: Seconds by which an inconsistent read may lag: on AWS, usually less than one.
STALENESS = 1.0
#: The logs of all worlds: the process has one log handler.
LOGS = StringIO()


@dataclass(frozen=True, slots=True)
class VirtualClock:
    account: "Account"
    skew: Callable[[], float]

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.account.now + self.skew(), UTC)

    def sleep(self, seconds: float) -> None:
        self.account.processes.wait(seconds)


class Account:
    """Simulates an account with one stack.

    `parameters` are the stack's parameters, and `configuration` has the sections of its first version. `usage` returns
    the usage of a host's GPUs, and `cpu_usage` that of its CPUs. `last_line` returns the time of an attempt's last log
    line, and `line` its text. Bodies over `largest_in_item` bytes go to S3; pages of SageMaker's list have
    `longest_list` entries. Records of jobs keep `most_attempts` finished attempts. `on_step` is called after each step,
    `on_end` when a function ends, and `on_configuration` when one has read the configuration, with its version, or None
    if no version can be read.
    """

    def __init__(
        self,
        fault_plan: FaultPlan,
        *,
        behaviour: Behaviour | None = None,
        course: Callable[[dict[str, Any]], Workload] = lambda _request: Workload(),
        parameters: Mapping[str, object] | None = None,
        configuration: Mapping[str, Any] | None = None,
        usage: Callable[[StateMachine, str, datetime], float | None] = lambda *_: None,
        cpu_usage: Callable[[StateMachine, str, datetime], float | None] = lambda *_: None,
        last_line: Callable[[StateMachine, str, float], float | None] = lambda *_: None,
        line: Callable[[str], str] = lambda _attempt: "step",
        largest_in_item: int | None = None,
        longest_list: int = 100,
        most_attempts: int | None = None,
        seed: int = 0,
        report_faults: ReportFaults | None = None,
    ) -> None:
        self.fault_plan = fault_plan
        self.report_faults = report_faults or no_report_faults()
        self.service_calls = ServiceCalls(self)
        self.function_calls = FunctionCalls(self)
        self.simulation = Simulation(
            course,
            behaviour=behaviour,
            seed=seed,
            on_event=self.function_calls.send_event,
            faults=self.service_calls.to_sagemaker,
        )
        self.agenda = Agenda()
        clock = partial(attrgetter("now"), self.simulation)  # called ten times a step
        self.processes = Processes(self.agenda, clock)
        self.table = Table(
            clock, lambda: self.fault_plan.index_lag(), STALENESS, on_change=self.function_calls.send_record
        )
        self.sagemaker = self.simulation.client()  # its calls outside of functions meet no faults
        for operation in ("ListTrainingJobs", "ListProcessingJobs"):
            self.sagemaker.meta.events.register(
                f"provide-client-params.sagemaker.{operation}",
                lambda params, **_: params | {"MaxResults": longest_list},
            )
        self.sagemaker.meta.events.register("after-call.sagemaker", self.service_calls.after_sagemaker)
        machine = self.simulation.machine
        metrics = CloudWatch(
            VirtualClock(self, skew=lambda: 0.0), partial(usage, machine), cpu_usage=partial(cpu_usage, machine)
        )
        self.monitoring = Monitoring(
            self.service_calls,
            metrics,
            self.function_calls.send_alarm,
            last_line=lambda attempt: last_line(machine, attempt, self.now),
            line=line,
        )
        self.webhooks = Webhooks(self, self.service_calls)
        self.orchestrators = Orchestrators(
            lambda service, operation, perform: self.service_calls.pass_on(service, operation, "", perform),
            deliver=self.webhooks.put,
        )
        self._is_down = False
        self._skews: dict[str, float] = {}  # by function, of the machine that is warm
        self.steps = 0
        self._trace: deque[tuple[float, str]] = deque(maxlen=400)
        self.on_step: Callable[[], object] = lambda: None
        self.on_end: Callable[[Process], object] = lambda _process: None
        self.on_configuration: Callable[[int | None], object] = lambda _version: None
        settings = {"InstanceBudget": "ml.m5.large=2", "Operators": "role/Scientist"} | dict(parameters or {})
        self.settings = environment(**settings)
        self.permissions = PermissionCheck(roles(**settings), StackLocation(), self._function, self._tags_of)
        self._install(self.settings)
        if largest_in_item is not None:
            self._patches.setattr(request_bodies, "LARGEST_IN_ITEM", largest_in_item)
        if most_attempts is not None:
            self._patches.setattr(job, "MOST_ATTEMPTS", most_attempts)
        self.configuration = dict(configuration or {})
        if self.configuration:
            self.configure(**self.configuration)
        self.function_calls.start_sweeping()

    @property
    def trace(self) -> list[str]:
        """Returns the last 400 events."""
        return [f"{at % 1e6:10.2f} {text}" for at, text in self._trace]

    @property
    def now(self) -> float:
        return self.simulation.now

    def close(self) -> None:
        self.processes.end_all()
        self._patches.undo()
        clear_built(_KEPT)
        shared.settings.cache_clear()

    def configure(self, **sections: Any) -> None:
        """Applies sections, in the form in which operators write them, at once and without a call.

        Their author is `ops`.
        """
        table = QueueTable(TableClient(self.table), self.settings["TABLE_NAME"])  # type: ignore[arg-type]  # the part used
        configure(DynamoDBConfigStore(table), **sections)

    def request(
        self, method: str, path: str, body: object = None, *, caller: str = ADA, then: Then = lambda _: None
    ) -> None:
        """Sends a request to the REST API. `then` is called with the answer later."""
        self.function_calls.send_request(method, path, body, caller, then)

    def ask(self, method: str, path: str, body: object = None, *, caller: str = ADA) -> Answer:
        """Sends a request, and runs until the answer arrives."""
        answers: list[Answer] = []
        self.request(method, path, body, caller=caller, then=answers.append)
        while not answers:
            self.step()
        return answers[0]

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self._next_due()) <= end:
            self._step(due)
        self.simulation.run(end - self.now)

    def step(self) -> None:
        """Runs the next event: a call, a delivery, a transition in SageMaker, or a user's action."""
        self._step(self._next_due())

    def interrupt(self, seconds: float) -> None:
        """Stops all functions for the given time, as during a restore of the table.

        Running functions die, and calls fail.
        """
        self.on_step = lambda: None
        self.on_end = lambda _process: None
        self.on_configuration = lambda _version: None
        self._is_down = True
        self.processes.end_all()
        self.run(seconds)
        self._is_down = False

    def invoke(
        self, function: str, event: Mapping[str, Any], request_id: str, then: Callable[[Process], object]
    ) -> None:
        handle, timeout = FUNCTIONS[function], timeout_of(function)
        running = {other.function for other in self.processes.alive}
        if self.fault_plan.is_cold_start() or function == _STATEFUL in running:
            clear_built(_KEPT)
            self._skews.pop(function, None)
        if function not in self._skews:
            self._skews[function] = self.fault_plan.clock_skew()
        context = SimpleNamespace(
            function_name=function,
            memory_limit_in_mb=512,
            invoked_function_arn=f"arn:aws:lambda:us-east-1:000000000000:function:{function}",
            aws_request_id=request_id,
        )
        dies_at = self.now + timeout
        context.get_remaining_time_in_millis = lambda: int(1000 * (dies_at - self.now))
        self.note(f"{function} starts")

        def end(process: Process) -> None:
            self.note(f"{function} ends {type(process.error).__name__ if process.error else ''}")
            self.on_end(process)
            then(process)

        run = partial(self._serve, handle, event, context)
        self.processes.start(function, timeout, self._skews[function], run, end)

    def evaluate_alarms(self) -> None:
        self.monitoring.evaluate()

    def note(self, text: str) -> None:
        self._trace.append((self.now, text))

    def _step(self, due: float) -> None:
        self.simulation.run(max(0.0, due - self.now))
        if self.agenda.next_due() <= self.now:
            self.agenda.take()()
        self.steps += 1
        self.on_step()

    def _next_due(self) -> float:
        return min(self.agenda.next_due(), self.simulation.next_due())

    def _serve(self, handle: Callable[[Any, Any], Any], event: Mapping[str, Any], context: object) -> Any:
        if self._is_down:
            raise Killed
        return handle(event, context)

    def _tags_of(self, arn: str) -> Mapping[str, str] | None:
        machine, name = self.simulation.machine, arn.rpartition("/")[2]
        found = {
            "processing-job": machine.processing.by_key.get(processing_key(name)),
            "hyper-parameter-tuning-job": machine.tuning.by_name.get(name),
            "training-job": machine.jobs.get(name),
        }[arn.rpartition("/")[0].rpartition(":")[2]]
        return found.tags if found is not None else None

    def _function(self) -> str | None:
        current = self.processes.current
        return current.function if current is not None else None

    def _skew(self) -> float:
        """Returns the clock skew of the current function's machine, however many clocks the function builds."""
        current = self.processes.current
        return current.skew if current is not None else 0.0

    def _watched(self, in_force: Callable[[ConfigurationReader], Any]) -> Callable[[ConfigurationReader], Any]:
        """Returns the function, changed so that it reports each version that it reads."""

        def reporting(reader: ConfigurationReader) -> Any:
            version, configuration = in_force(reader)
            self.on_configuration(version.version if configuration.is_readable else None)
            return version, configuration

        return reporting

    def _install(self, settings: Mapping[str, str]) -> None:
        self._patches = pytest.MonkeyPatch()
        region_and_logs = {
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_REGION": "us-east-1",
            "POWERTOOLS_SERVICE_NAME": "simulation",
        }
        for name, value in {**settings, **region_and_logs}.items():
            self._patches.setitem(os.environ, name, value)
        clients = {
            "dynamodb": TableClient(self.table, self.service_calls.to_table),
            "sagemaker": self.sagemaker,
            "cloudwatch": self.monitoring,
            "sns": self.monitoring,
            "events": self.monitoring,
            "logs": self.monitoring,
            "stepfunctions": self.orchestrators,
            "sqs": self.orchestrators,
            "secretsmanager": self.webhooks,
            "s3": SimpleNamespace(put_object=self.service_calls.put_object, get_object=self.service_calls.get_object),
        }
        checked = {name: CheckedClient(client, name, self.permissions.check) for name, client in clients.items()}
        self._patches.setattr(shared, "client", lambda name, **_: checked[name])
        self._patches.setattr(shared, "meter", lambda: self.monitoring)
        self._patches.setattr(webhooks_wiring, "network", self.webhooks.network)
        self._patches.setattr(parallel, "ThreadPoolExecutor", OneByOne)
        self._patches.setattr(ConfigurationReader, "in_force", self._watched(ConfigurationReader.in_force))
        use_clock(lambda: VirtualClock(self, self._skew), self._patches)
        shared.settings.cache_clear()
        clear_built(_KEPT)
        LOGS.seek(0)
        LOGS.truncate()  # drop what a failed world has logged
        with redirect_stdout(LOGS):
            shared.logger()


def may_end_with(error: BaseException | None) -> bool:
    """Returns whether Lambda's retry is the right reaction to this error. Any other error is a defect in the queue."""
    return error is None or isinstance(error, (Killed, SchedulerError, ClientError, ReadTimeoutError))
