"""SageMaker Training on a virtual clock, inside the process: for tests that live through days in a second.

simulation = Simulation(lambda request: Course(trains=3600))
client = simulation.client()          # a boto3 client that never leaves the process
client.create_training_job(...)
simulation.run(seconds=7200)
simulation.events                     # what EventBridge was told

What goes wrong is scripted too: calls by `faults`, calls and events by the rules of `world.mischief`, jobs by
`interrupt` and `fail`.
"""

import heapq
import json
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
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
    Broke,
    Command,
    Discard,
    Exited,
    Kill,
    Prepare,
    Prepared,
    Report,
    Run,
    StateChanged,
    Terminate,
    Upload,
    Uploaded,
)
from local_sagemaker.state_machine.fault_injection import Fault, Unanswered
from local_sagemaker.state_machine.machine import World

if TYPE_CHECKING:
    from mypy_boto3_sagemaker import SageMakerClient

_KILLED = 137
_NAMED = Config(user_agent="simulated")  # what botocore tells servers of the machine takes it long to find out


@dataclass(frozen=True, slots=True)
class Course:
    """How the work of one attempt will go, in seconds."""

    trains: float = 600
    exit_code: int = 0
    message: str = ""
    prepares: float = 60
    uploads: float = 30
    heeds_stop_after: float | None = 5  # None: ignores SIGTERM until it is killed


@dataclass(slots=True)
class _Work:
    """The work on one job. It ends with the report planned last; earlier ones are void."""

    course: Course
    awaits: int = -1


@dataclass(order=True, slots=True)
class _Planned:
    at: float
    number: int
    name: str = field(compare=False)
    report: Report = field(compare=False)


class Simulation:
    """`course` scripts each job by its request, `faults` each call by operation and parameters. `on_event` is told of
    each event when it is sent."""

    def __init__(
        self,
        course: Callable[[dict[str, Any]], Course] = lambda _request: Course(),
        *,
        behaviour: Behaviour | None = None,
        seed: int = 0,
        now: float = 1_767_225_600,  # 2026-01-01
        on_event: Callable[[dict[str, Any]], None] = lambda _event: None,
        faults: Callable[[str, dict[str, Any]], Fault | None] = lambda _operation, _parameters: None,
    ) -> None:
        self.now = now
        self.world = World(behaviour or Behaviour(), seed)
        self.events: list[dict[str, Any]] = []
        self._course = course
        self._on_event = on_event
        self._faults = faults
        self._works: dict[str, _Work] = {}
        self._planned: list[_Planned] = []
        self._numbers = count()

    def client(self) -> "SageMakerClient":
        """A real boto3 client, so that parameters, answers, errors, paginators and waiters are boto3's own."""
        client = _client_like(_client_in(self.world.behaviour.region))
        client.meta.events.register("before-call.sagemaker", self._answer)  # type: ignore[arg-type] # stubs know no answers
        return client

    def run(self, seconds: float) -> None:
        """Lets virtual time pass."""
        end = self.now + seconds
        self._carry_out()
        while (moment := self.next_due()) <= end:
            self.now = max(self.now, moment)
            self._report_planned()
            self._carry_out()
        self.now = max(self.now, end)  # a call that took its time may have gone further

    def next_due(self) -> float:
        """When something will happen next by itself."""
        due = self.world.next_due()
        return min(due, self._planned[0].at) if self._planned else due

    def interrupt(self, name: str) -> None:
        """Takes the spot instances of a job away."""
        self.world.interrupt(name, self.now)
        self._carry_out()

    def provision(self, name: str) -> None:
        """Gives capacity to a job whose Behaviour.startup is None."""
        self.world.provision(name, self.now)
        self._carry_out()

    def fail(self, name: str, reason: str) -> None:
        """The service fails the job, for example with lifecycle.CAPACITY_ERROR."""
        self.world.report(name, Broke(reason), self.now)
        self._carry_out()

    def _answer(self, model: OperationModel, params: dict[str, Any], **_: object) -> tuple[SimpleNamespace, Any]:
        target, body = f"SageMaker.{model.name}", params["body"]
        fault = self._faults(model.name, json.loads(body)) or fault_of(self.world, target, body)
        try:
            reply = answer(self.world, target, body, self.now, fault)
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
            if work is not None and work.awaits == planned.number:
                self.world.report(planned.name, planned.report, self.now)

    def _carry_out(self) -> None:
        for effect in self.world.advance(self.now):
            if isinstance(effect, StateChanged):
                self.events.append(effect.event)
                self._on_event(effect.event)
            else:
                self._work(effect)

    def _work(self, command: Command) -> None:
        match command:
            case Prepare(name):
                self._works[name] = _Work(self._course(self.world.jobs[name].placed))
                self._plan(name, self._works[name].course.prepares, Prepared())
            case Run(name):
                course = self._works[name].course
                self._plan(name, course.trains, Exited(course.exit_code, course.message))
            case Terminate(name):
                heeds = self._works[name].course.heeds_stop_after
                if heeds is not None:
                    self._plan(name, heeds, Exited(0))
            case Kill(name):
                self._plan(name, 0, Exited(_KILLED))
            case Upload(name):
                self._plan(name, self._works[name].course.uploads, Uploaded())
            case Discard(name):
                self._works.pop(name, None)

    def _plan(self, name: str, seconds: float, report: Report) -> None:
        planned = _Planned(self.now + seconds, next(self._numbers), name, report)
        self._works[name].awaits = planned.number
        heapq.heappush(self._planned, planned)


@cache
def _parser() -> Any:
    """Times are in UTC, as where functions run: the zone of the machine took longer than all else in an answer."""
    parsers = ResponseParserFactory()
    parsers.set_parser_defaults(timestamp_parser=lambda seconds: datetime.fromtimestamp(float(seconds), UTC))
    return parsers.create_parser("json")


def _client_like(client: "SageMakerClient") -> "SageMakerClient":
    """Another one, with handlers of its own: to make it anew takes as long as a small story that is played with it."""
    other = object.__new__(type(client))
    vars(other).update(vars(client), meta=copy(client.meta))
    other.meta.events = copy(client.meta.events)
    return other


@cache
def _client_in(region: str) -> "SageMakerClient":
    """The credentials sign nothing."""
    session = boto3.Session(aws_access_key_id="simulated", aws_secret_access_key="simulated")  # noqa: S106 - same
    return session.client("sagemaker", region_name=region, config=_NAMED)
