"""How long a list takes while many jobs wait: what `sagequeue ls` asks for, in the API's own code on DynamoDB Local.

PYTHONPATH=functions:tests python -m benchmarks.listing
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import boto3

from api.views import listing_view
from builders.jobs import NOON, a_job
from contract.dynamodb_local import running_dynamodb_local
from contract.stores import table_definition
from scheduler.adapters import dynamodb_writes as writes
from scheduler.adapters.dynamodb_controls import DynamoDBControlStore
from scheduler.adapters.dynamodb_jobs import DynamoDBJobStore
from scheduler.adapters.memory_documents import MemoryDocumentStore
from scheduler.adapters.s3_requests import S3Requests
from scheduler.adapters.system_clock import SystemClock
from scheduler.domain.budget import Budget
from scheduler.domain.job import QUEUED, JobState
from scheduler.domain.job_filter import JobFilter
from scheduler.domain.policy import Policy
from scheduler.gate import Gate
from scheduler.job_queue import JobQueue
from scheduler.observing import Observer
from scheduler.standings import Standings

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TABLE = "queue"
_JOBS = 10_000
_PAGE = 50  # what `ls` asks for
_TIMES = 9
_LISTS = {"`ls`": JobFilter(), "`ls --state pending`": JobFilter(QUEUED)}


class Cost(NamedTuple):
    calls: int
    items: int
    seconds: float  # on the clock, so other work of the machine counts
    own_seconds: float  # of this process


def report() -> Iterator[str]:
    yield f"| of {_JOBS:,} jobs wait | list | calls | items read | seconds | of which own CPU |"
    yield "|---|---|---|---|---|---|"
    for waiting in (0, 1_000, _JOBS):
        with _table(waiting) as client:
            for title, wanted in _LISTS.items():
                calls, items, seconds, own = _cost(client, wanted)
                yield f"| {waiting:,} | {title} | {calls} | {items:,} | {seconds:.2f} | {own:.2f} |"


@contextmanager
def _table(waiting: int) -> Iterator["DynamoDBClient"]:
    with running_dynamodb_local() as address:
        session = boto3.Session("any", "any", region_name="eu-west-1")
        client = session.client("dynamodb", endpoint_url=address)
        client.create_table(TableName=_TABLE, **table_definition())
        puts = [_put(number, waiting) for number in range(_JOBS)]
        for start in range(0, _JOBS, 25):  # the most that one call takes
            client.batch_write_item(RequestItems={_TABLE: puts[start : start + 25]})
        yield client


def _put(number: int, waiting: int) -> Any:
    """The oldest have ended, the youngest wait."""
    state = JobState.PENDING if number >= _JOBS - waiting else JobState.COMPLETED
    job = a_job(f"job-{number:05}", state=state, submitted_at=NOON + timedelta(seconds=number))
    return {"PutRequest": {"Item": writes.add_job(_TABLE, job).action["Put"]["Item"]}}


def _cost(client: "DynamoDBClient", wanted: JobFilter) -> Cost:
    queue = _queue(client)
    answers: list[int] = []
    client.meta.events.register("after-call.dynamodb", lambda parsed, **_: answers.append(_items(parsed)), "count")
    clocks = [_seconds(queue, wanted) for _ in range(_TIMES)]
    client.meta.events.unregister("after-call.dynamodb", unique_id="count")
    seconds, own = (median(times) for times in zip(*clocks, strict=True))
    return Cost(len(answers) // _TIMES, sum(answers) // _TIMES, seconds, own)


def _items(answer: dict[str, Any]) -> int:
    """Of a query, of a batch, or of a single look-up."""
    batch = [item for items in answer.get("Responses", {}).values() for item in items]
    return len(answer.get("Items", batch)) or int("Item" in answer)


def _seconds(queue: JobQueue, wanted: JobFilter) -> tuple[float, float]:
    began, own_began = perf_counter(), process_time()
    listing_view(queue.list(wanted, _PAGE, None), "arn:aws:sagemaker:eu-west-1:123456789012:training-job/")
    return perf_counter() - began, process_time() - own_began


def _queue(client: "DynamoDBClient") -> JobQueue:
    store = DynamoDBJobStore(client, _TABLE, S3Requests(boto3.client("s3", region_name="eu-west-1"), "unused"))
    clock, budget, policy = SystemClock(), Budget.parse("ml.g5.xlarge=8"), Policy()
    observer = Observer(store, DynamoDBControlStore(client, _TABLE), budget, policy, clock)
    return JobQueue(
        observer, store, clock, Standings(observer, store, clock, "sq"), lambda _: None, Gate(MemoryDocumentStore(), ())
    )


if __name__ == "__main__":
    for line in report():
        print(line)
