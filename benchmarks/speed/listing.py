"""Measures lists while many jobs wait, with the API's code on DynamoDB Local and with the command `sagequeue ls`.

PYTHONPATH=functions:tests python -m benchmarks.speed.listing
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from threading import Thread
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import boto3

from api.jobs.job_views import listing_view
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.adapters.dynamodb.config_store import DynamoDBConfigStore, DynamoDBControlStore
from scheduler.adapters.dynamodb.records.job_records import job_item
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.stores import stores_on
from scheduler.adapters.dynamodb.table import Table
from scheduler.admission.admission import Admission
from scheduler.admission.choice_check import ChoiceCheck
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import QUEUED, JobState
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.observe.spending import SpendingReader
from scheduler.queue.children_to_come import ChildrenToCome
from scheduler.queue.job_queries import JobQueries
from scheduler.queue.job_status import JobStatusReader
from support.builders.callers import an_access
from support.builders.configurations import a_reader, a_stack
from support.builders.jobs import NOON, a_job
from support.dynamodb.dynamodb_local import running_dynamodb_local
from support.dynamodb.stores import table_definition

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TABLE = "queue"
_JOBS = 10_000
_CALLER = a_job().owner
_PAGE = 50  # the page size of `ls`
_TIMES = 9
_MAX_SECONDS = 1.0  # the limit for both together
_ARN_PREFIX = "arn:aws:sagemaker:eu-west-1:123456789012:training-job/"
_COMMAND = Path(sys.executable).with_name("sagequeue")
_LISTS = {"`ls`": JobFilter(), "`ls --state pending`": JobFilter(QUEUED)}


class Cost(NamedTuple):
    calls: int
    items: int
    seconds: float  # real time, which includes other work on the machine
    own_seconds: float  # CPU time of this process
    command_seconds: float  # CPU seconds of the command, which calls this process over HTTP


def report() -> Iterator[str]:
    names = "calls | items read | seconds | CPU seconds of the API | CPU seconds of the command"
    yield f"| waiting jobs (of {_JOBS:,}) | command | {names} |"
    yield "|---|---|---|---|---|---|---|"
    for waiting in (0, 1_000, _JOBS):
        with _table(waiting) as client:
            for title, wanted in _LISTS.items():
                cost = _cost(client, wanted)
                figures = f"{cost.seconds:.2f} | {cost.own_seconds:.2f} | {cost.command_seconds:.2f}"
                yield f"| {waiting:,} | {title} | {cost.calls} | {cost.items:,} | {figures} |"
                if cost.seconds + cost.command_seconds > _MAX_SECONDS:
                    sys.exit(f"{title} takes more than {_MAX_SECONDS} s")


@contextmanager
def _table(waiting: int) -> Iterator["DynamoDBClient"]:
    with running_dynamodb_local() as address:
        session = boto3.Session("any", "any", region_name="eu-west-1")
        client = session.client("dynamodb", endpoint_url=address)
        client.create_table(TableName=_TABLE, **table_definition())
        puts = [_put(number, waiting) for number in range(_JOBS)]
        for start in range(0, _JOBS, 25):  # the maximum number of items in one call
            client.batch_write_item(RequestItems={_TABLE: puts[start : start + 25]})
        yield client


def _put(number: int, waiting: int) -> Any:
    """Returns the write of a job: the oldest jobs have ended, the youngest wait."""
    state = JobState.PENDING if number >= _JOBS - waiting else JobState.COMPLETED
    job = a_job(f"job-{number:05}", state=state, submitted_at=NOON + timedelta(seconds=number))
    return {"PutRequest": {"Item": job_item(job, changed_by="api")}}


def _cost(client: "DynamoDBClient", wanted: JobFilter) -> Cost:
    queries = _queries(client)
    answers: list[int] = []
    client.meta.events.register("after-call.dynamodb", lambda parsed, **_: answers.append(_items(parsed)), "count")
    clocks = [_seconds(queries, wanted) for _ in range(_TIMES)]
    client.meta.events.unregister("after-call.dynamodb", unique_id="count")
    seconds, own = (median(times) for times in zip(*clocks, strict=True))
    with _serving(lambda: _listing(queries, wanted)) as url:
        command = median(_command_seconds(url) for _ in range(_TIMES))
    return Cost(len(answers) // _TIMES, sum(answers) // _TIMES, seconds, own, command)


def _items(answer: dict[str, Any]) -> int:
    """Counts the items in the answer to a query, a batch, or a single read."""
    batch = [item for items in answer.get("Responses", {}).values() for item in items]
    return len(answer.get("Items", batch)) or int("Item" in answer)


def _seconds(queries: JobQueries, wanted: JobFilter) -> tuple[float, float]:
    began, own_began = perf_counter(), process_time()
    _listing(queries, wanted)
    return perf_counter() - began, process_time() - own_began


def _listing(queries: JobQueries, wanted: JobFilter) -> Any:
    return listing_view(queries.list(wanted, _PAGE, None, _CALLER), _ARN_PREFIX)


def _command_seconds(url: str) -> float:
    signed = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "eu-west-1"}
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(  # noqa: S603 - our own command
        [_COMMAND, "ls"], check=True, capture_output=True, env={**os.environ, **signed, "SAGEQUEUE_API_URL": url}
    )
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@contextmanager
def _serving(answer: Callable[[], Any]) -> Iterator[str]:
    """Serves an API that computes the list again for every call."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(answer()).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _queries(client: "DynamoDBClient") -> JobQueries:
    table = Table(client, _TABLE)
    stores = stores_on(table, S3Requests(lambda: boto3.client("s3", region_name="eu-west-1"), "unused"))
    clock, reader = SystemClock(), a_reader(DynamoDBConfigStore(table), a_stack("ml.g5.xlarge=8"))
    snapshot_reader = SnapshotReader(
        stores.index,
        stores.live_attempts,
        stores.pools,
        stores.learned,
        stores.state,
        DynamoDBControlStore(table),
        reader,
        SpendingReader(stores.learned, reader.stack.prices, clock),
        clock,
    )
    admission = Admission(reader, an_access(reader))
    choice_check = ChoiceCheck(admission, reader, stores.jobs.requests_of, clock)
    status = JobStatusReader(snapshot_reader, choice_check, stores.index, stores.live_attempts, clock, "sq")
    to_come = ChildrenToCome(stores.arrays)
    return JobQueries(snapshot_reader, stores.jobs, stores.index, clock, status, admission, to_come)


if __name__ == "__main__":
    for line in report():
        print(line)
