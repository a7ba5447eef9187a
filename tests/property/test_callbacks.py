"""The end of a job reaches each orchestrator that waits for it, once, whatever is lost, late, doubled or killed."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from botocore.exceptions import ReadTimeoutError
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.adapters.aws.callback_receivers import (
    AwsCallbackReceivers,
    PipelineSteps,
    SqsDeadLetters,
    StepFunctionsTasks,
    WebhookMessages,
)
from scheduler.adapters.aws.eventbridge import EventBridge
from scheduler.core.history.callbacks.callback import Callback, CallbackKind, OpenCallback
from scheduler.core.history.callbacks.timing import GIVE_UP_AFTER, RUN_EVERY
from scheduler.core.jobs.job_state import JobState
from scheduler.cycle.callbacks import CallbackDelivery
from support.account.orchestrators import WEBHOOK_QUEUE, Orchestrators, refused
from support.builders.jobs import a_job, changed_job
from support.faults.fault_points import Killed
from support.memory.clock import FixedClock
from support.memory.store import MemoryStore

JOBS = ("bert", "resnet", "whisper")
TIME_LEFT = timedelta(seconds=40)
FATES = ("works", "fails", "is denied", "loses its answer", "dies after it")
TOKENS = (CallbackKind.TASK_TOKEN, CallbackKind.PIPELINE_TOKEN)
ENDS = (JobState.COMPLETED, JobState.FAILED, JobState.STOPPED)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("ends"), st.sampled_from(JOBS), st.sampled_from(ENDS)),
        st.tuples(st.just("requeue"), st.sampled_from(JOBS), st.none()),
        st.tuples(st.just("submitted again"), st.sampled_from(JOBS), st.none()),
        st.tuples(st.just("expires"), st.sampled_from(JOBS), st.none()),
        st.tuples(st.just("run"), st.none(), st.lists(st.sampled_from(FATES), max_size=6)),
    ),
    max_size=20,
)
COURSE = settings(max_examples=200, deadline=None)


class World:
    """Three jobs, whose ends a state machine, a pipeline, a bus and a URL wait for."""

    def __init__(self) -> None:
        self.clock, self.store = FixedClock(), MemoryStore()
        self.orchestrators = Orchestrators(self._pass_on)
        self.events: list[dict[str, Any]] = []
        self.fates: Iterator[str] = iter(())
        self.expired: set[str] = set()
        self.ends: dict[str, list[JobState]] = {name: [] for name in JOBS}
        self.attempts = 0
        for name in JOBS:
            self.store.submit(a_job(name, state=JobState.RUNNING), {}, callbacks=self._callbacks(name))

    def act(self, what: str, name: str | None, how: Any) -> None:
        self.clock.moment += RUN_EVERY
        if what == "run":
            self.run(how)
            return
        assert name is not None
        job = self.store.jobs[name]
        match what:
            case "ends" if not job.is_finished:
                self.attempts += 1
                self.store.jobs[name] = changed_job(
                    job, state=how, attempts=self.attempts, updated_at=self.clock.now(), version=job.version + 1
                )
                self.ends[name].append(how)
            case "requeue" if job.is_finished:
                self.store.jobs[name] = changed_job(job, state=JobState.PENDING, version=job.version + 1)
            case "submitted again":
                self.store.add(self._callbacks(name))
            case "expires":
                self.expired |= {token for token in self.orchestrators.waiting if token.startswith(name)}
                self.orchestrators.waiting -= self.expired

    def run(self, fates: list[str]) -> None:
        self.fates = iter(fates)
        with suppress(Killed):
            self.delivery().run(TIME_LEFT)
        self.fates = iter(())

    def delivery(self) -> CallbackDelivery:
        orchestrators: Any = self.orchestrators
        receivers = AwsCallbackReceivers(
            StepFunctionsTasks(orchestrators),
            PipelineSteps(orchestrators),
            self._bus,
            WebhookMessages(orchestrators, WEBHOOK_QUEUE),
            queue="sq",
        )
        return CallbackDelivery(self.store, receivers, SqsDeadLetters(orchestrators, "url"), self.clock)

    def due(self) -> list[OpenCallback]:
        return [one for one in self.store.with_jobs(self.store.open()) if one.is_due]

    def messages(self) -> list[dict[str, Any]]:
        """Returns the outcomes in the webhook queue."""
        return [json.loads(call["MessageBody"]) for call in self.orchestrators.for_webhooks]

    def put_events(self, **call: Any) -> Any:
        def put() -> dict[str, list[str]]:
            self.events += [json.loads(entry["Detail"]) for entry in call["Entries"]]
            return {"Entries": []}

        return self._pass_on("events", "PutEvents", put)

    def _bus(self, name: str) -> EventBridge:
        return EventBridge(self, name)  # type: ignore[arg-type]  # what is used of the client

    def _callbacks(self, name: str) -> list[Callback]:
        """Returns callbacks with new tokens, as each try of a state machine has one."""
        number = len(self.orchestrators.waiting) + len(self.orchestrators.reports) + len(self.expired)
        tokens: dict[CallbackKind, str] = {kind: f"{name}-{kind}-{number}" for kind in TOKENS}
        self.orchestrators.waiting |= {*tokens.values()}
        fixed = {CallbackKind.EVENT_BUS: f"sagequeue-{name}", CallbackKind.URL: f"https://hooks.example.org/{name}"}
        addresses: dict[CallbackKind, str] = {**tokens, **fixed}
        return [Callback(name, kind, address, self.clock.now()) for kind, address in addresses.items()]

    def _pass_on(self, service: str, _operation: str, perform: Callable[[], Any]) -> Any:
        match next(self.fates, "works"):
            case "fails":
                raise ReadTimeoutError(endpoint_url=service)
            case "is denied":
                raise refused("AccessDeniedException")
            case "loses its answer":
                perform()
                raise ReadTimeoutError(endpoint_url=service)
            case "dies after it":
                perform()
                raise Killed
        return perform()


@contextmanager
def captured_log() -> Iterator[list[str]]:
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(str(vars(record)))  # type: ignore[method-assign]
    log = logging.getLogger("scheduler.cycle.callbacks")
    log.addHandler(handler)
    yield lines
    log.removeHandler(handler)


def played(acts: list[tuple[str, str | None, Any]]) -> World:
    world = World()
    for act in acts:
        world.act(*act)
    return world


def state_in(report: dict[str, Any]) -> str | None:
    """Returns the state in a report to a state machine. A report to a pipeline has none."""
    text = report.get("output") or report.get("cause")
    return json.loads(text)["state"] if text else None


@COURSE
@given(acts=ACTS)
def test_every_orchestrator_learns_of_the_end_once_the_faults_are_over(acts: list[Any]) -> None:
    world = played(acts)
    world.run([])
    assert not world.due()
    for token in world.orchestrators.waiting:
        assert not world.store.jobs[token.partition("-")[0]].is_finished
    for name, ends in world.ends.items():
        if ends and world.store.jobs[name].is_finished:
            assert name in {event["job"] for event in world.events}
            assert name in {message["job"] for message in world.messages()}


@COURSE
@given(acts=ACTS)
def test_nobody_is_told_of_an_end_that_did_not_happen(acts: list[Any]) -> None:
    world = played(acts)
    world.run([])
    for token, report in world.orchestrators.reports.items():
        ends = world.ends[token.partition("-")[0]]
        assert ends
        assert state_in(report) in {None, *ends}
        assert ("FailureReason" not in report and "cause" not in report) <= (JobState.COMPLETED in ends)
    for outcome in [*world.events, *world.messages()]:
        assert outcome["state"] in world.ends[outcome["job"]]


@COURSE
@given(acts=ACTS)
def test_a_repeated_report_has_the_id_of_the_first(acts: list[Any]) -> None:
    world = played(acts)
    world.run([])
    for received in (world.events, world.messages()):
        ids = {((one["job"], one["state"], one["attempts"]), one["id"]) for one in received}
        assert len(dict(ids)) == len(ids)  # an end has one id …
        assert len({number for _, number in ids}) == len(ids)  # … which no other end has


@COURSE
@given(acts=ACTS)
def test_no_token_reaches_the_log_or_a_dead_letter(acts: list[Any]) -> None:
    with captured_log() as lines:
        world = played(acts)
        world.clock.moment += GIVE_UP_AFTER
        world.run(["is denied"] * 30)
        world.run(["is denied", "works"] * 30)
    shown = " ".join([*lines, *world.orchestrators.letters])
    assert "_token-" not in shown


@COURSE
@given(acts=ACTS)
def test_an_end_is_given_up_only_after_hours_and_never_without_a_dead_letter(acts: list[Any]) -> None:
    world = played(acts)
    due = world.due()
    assert not world.orchestrators.letters
    world.run(["is denied"] * 30)
    assert world.due() == due
    world.clock.moment += GIVE_UP_AFTER
    world.run(["is denied", "works"] * len(due))
    keys = {json.loads(letter)["callback"] for letter in world.orchestrators.letters}
    assert keys == {one.callback.key for one in due}


@COURSE
@given(acts=ACTS)
def test_waiting_states_get_a_heartbeat_in_every_run(acts: list[Any]) -> None:
    world = played(acts)
    world.run([])
    world.orchestrators.heartbeats.clear()
    world.run([])
    tasks = {token for token in world.orchestrators.waiting if CallbackKind.TASK_TOKEN in token}
    assert sorted(world.orchestrators.heartbeats) == sorted(tasks)


def test_the_world_reaches_each_kind_of_orchestrator() -> None:
    """A report of each kind, so that no property above holds because nothing happens."""
    world = played([("ends", name, end) for name, end in zip(JOBS, ENDS, strict=True)])
    world.run([])
    assert len(world.orchestrators.reports) == 2 * len(JOBS)
    assert [event["state"] for event in world.events] == [*ENDS]
    assert [message["state"] for message in world.messages()] == [*ENDS]
