"""Counts the reads of one snapshot while very many jobs wait, on DynamoDB Local."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from random import Random
from typing import Any

from benchmarks.queue.local_table import TABLE, local_table
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.adapters.dynamodb.records.job_records import job_item
from scheduler.adapters.dynamodb.records.record_converter import Item
from scheduler.core.configuration.kinds import Stack
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.observe.configuration import ConfigurationReader
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.observe.spending import SpendingReader
from support.account.simulated_queue import PREEMPTS_AT_ONCE
from support.builders.callers import ACCOUNT
from support.builders.configurations import configure
from support.builders.jobs import NOON, a_job
from support.dynamodb.stores import Stores

_PUTS_AT_ONCE = 25  # the maximum number of items in one call
_BUDGET = Budget.parse("ml.m5.large=64,ml.g5.xlarge=32,ml.p5.48xlarge=8")
_OWNERS = 20
_PRIORITIES = 5


@dataclass(frozen=True)
class SnapshotCost:
    """The cost of reading one cycle's snapshot."""

    waiting: int
    items: int
    units: float
    calls: int
    candidates: int


def measure(waiting: int) -> SnapshotCost:
    with local_table() as (local, stores):
        fill(local, (job_item(job, changed_by="api") for job in waiting_jobs(waiting)))
        reads = Reads(local)
        configure(stores.configuration, policy=PREEMPTS_AT_ONCE)
        snapshot = reader_of(stores).observe()
    return SnapshotCost(waiting, reads.items, reads.units, reads.calls, len(snapshot.queued))


def reader_of(stores: Stores) -> SnapshotReader:
    clock = SystemClock()
    return SnapshotReader(
        stores.index,
        stores.live_attempts,
        stores.pools,
        stores.learned,
        stores.state,
        stores.controls,
        ConfigurationReader(stores.configuration, Stack(_BUDGET, SNAPSHOT)),
        SpendingReader(stores.learned, SNAPSHOT, clock),
        clock,
    )


class Reads:
    """Counts the reads of a client."""

    def __init__(self, client: Any) -> None:
        self.items, self.calls, self.units = 0, 0, 0.0
        client.meta.events.register("before-parameter-build.dynamodb", self._request_units)
        client.meta.events.register("after-call.dynamodb", self._count)

    def _request_units(self, params: dict[str, Any], **_: object) -> None:
        params["ReturnConsumedCapacity"] = "TOTAL"

    def _count(self, parsed: dict[str, Any], **_: object) -> None:
        self.calls += 1
        self.items += len(parsed.get("Items", ())) + ("Item" in parsed)
        self.items += sum(map(len, parsed.get("Responses", {}).values()))
        consumed = parsed.get("ConsumedCapacity", [])
        for entry in consumed if isinstance(consumed, list) else [consumed]:
            self.units += entry["CapacityUnits"]


def waiting_jobs(count: int) -> Iterator[Job]:
    """Yields jobs of every owner, priority and type. Some are wide."""
    random = Random(0)  # noqa: S311 - a load, not a secret
    for number in range(count):
        yield a_job(
            f"job-{number:06}",
            priority=random.randrange(_PRIORITIES),
            owner=f"arn:aws:sts::{ACCOUNT}:assumed-role/Scientist/{random.randrange(_OWNERS)}",
            demand=Demand.of({random.choice(_BUDGET.types): random.choice((1, 1, 2, 8))}),
            submitted_at=NOON + timedelta(seconds=number),
        )


def fill(client: Any, items: Iterator[Item]) -> None:
    while batch := [{"PutRequest": {"Item": item}} for item in islice(items, _PUTS_AT_ONCE)]:
        client.batch_write_item(RequestItems={TABLE: batch})
