"""A run reads a bounded number of jobs, however many callbacks are open, and still finds every end."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

import pytest

from scheduler.adapters.aws.callback_receivers import (
    AwsCallbackReceivers,
    PipelineSteps,
    SqsDeadLetters,
    StepFunctionsTasks,
    WebhookMessages,
)
from scheduler.adapters.dynamodb.callbacks import add_callback
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.history.callbacks import timing
from scheduler.core.history.callbacks.callback import Callback, CallbackKind
from scheduler.core.history.callbacks.timing import MOST_IN_TURN, RECENT, RUN_EVERY
from scheduler.core.jobs.job_state import JobState
from scheduler.cycle.callbacks import CallbackDelivery
from scheduler.ports.job_store import API
from support.account.orchestrators import Orchestrators
from support.builders.jobs import NOON, a_job, changed_job
from support.dynamodb.client import TableClient
from support.dynamodb.stores import Stores, stores_on
from support.dynamodb.table import Key
from support.dynamodb.table import Table as SimulatedTable
from support.memory.clock import FixedClock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TIME_LEFT = timedelta(seconds=40)
LONG_AGO = NOON - timedelta(days=1)


class Queue:
    """A queue whose table counts the jobs that it reads."""

    def __init__(self) -> None:
        self.read: Counter[str] = Counter()
        self.table = Table(cast("DynamoDBClient", TableClient(SimulatedTable(), self._count)), "queue")
        self.stores: Stores = stores_on(self.table, S3Requests(lambda: None, ""))  # type: ignore[arg-type, return-value]  # no job here has a large request
        self.clock, self.orchestrators = FixedClock(NOON), Orchestrators()

    def submit(self, name: str, added_at: datetime, state: JobState = JobState.RUNNING) -> None:
        self.stores.jobs.submit(a_job(name, state=state), {})
        token = f"token-{name}"
        self.orchestrators.waiting.add(token)
        self.table.write(add_callback(Callback(name, CallbackKind.TASK_TOKEN, token, added_at)))

    def end(self, name: str, ended_at: datetime) -> None:
        job = changed_job(self.stores.jobs.get(name), state=JobState.COMPLETED, updated_at=ended_at)
        self.stores.jobs.save(job, by=API)

    def run(self) -> int:
        """Runs once, and returns how many jobs were read."""
        self.read.clear()
        fake: Any = self.orchestrators
        receivers = AwsCallbackReceivers(
            StepFunctionsTasks(fake), PipelineSteps(fake), lambda _: fake, WebhookMessages(fake, ""), "sq"
        )
        CallbackDelivery(self.stores.callbacks, receivers, SqsDeadLetters(fake, "url"), self.clock).run(TIME_LEFT)
        self.clock.moment += RUN_EVERY
        return self.read["BatchGetItem"]

    def _count(self, operation: str, keys: tuple[Key, ...], perform: Callable[[], Any]) -> Any:
        self.read[operation] += len(keys)
        return perform()


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Queue:
    """Thirty jobs have waited for long. About five callbacks have their turn in a run."""
    monkeypatch.setattr(timing, "MOST_IN_TURN", 5)
    queue = Queue()
    for number in range(30):
        queue.submit(f"job-{number}", LONG_AGO)
    return queue


def test_a_run_reads_the_jobs_of_its_turn_and_each_run_reads_others(queue: Queue) -> None:
    reads = [queue.run() for _ in range(6)]
    assert sum(reads) == 30
    assert max(reads) <= 10
    assert sorted(queue.orchestrators.heartbeats) == sorted(queue.orchestrators.waiting)


def test_a_larger_backlog_costs_a_run_no_more_reads(queue: Queue) -> None:
    before = max(queue.run() for _ in range(6))
    for number in range(30, 300):
        queue.submit(f"job-{number}", LONG_AGO)
    assert max(queue.run() for _ in range(60)) <= 2 * before


def test_an_end_is_reported_in_the_next_run_whoever_has_the_turn(queue: Queue) -> None:
    for number in range(30):
        queue.end(f"job-{number}", queue.clock.now())
        assert queue.run() <= 16, "five in turn, and those that ended in the last five minutes"
        assert f"token-job-{number}" in queue.orchestrators.reports


def test_a_callback_of_a_job_that_had_ended_is_reported_at_once(queue: Queue) -> None:
    queue.submit("late", NOON, JobState.COMPLETED)
    queue.run()
    assert "token-late" in queue.orchestrators.reports


def test_an_end_that_the_index_hid_for_long_is_found_in_its_turn(queue: Queue) -> None:
    queue.end("job-7", LONG_AGO)
    for _ in range(6):
        queue.run()
    assert "token-job-7" in queue.orchestrators.reports


def test_many_new_callbacks_do_not_exceed_the_limit(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "MOST_RECENT", 10)
    for number in range(30, 130):
        queue.submit(f"job-{number}", NOON)
    assert queue.run() <= 10 + 2 * 5


def test_with_few_open_callbacks_every_run_checks_all() -> None:
    queue = Queue()
    for number in range(20):
        queue.submit(f"job-{number}", LONG_AGO)
    assert MOST_IN_TURN >= 20
    assert RECENT > 2 * RUN_EVERY
    assert [queue.run(), queue.run()] == [20, 20]
