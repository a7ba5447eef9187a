"""Counts and times the reads of `sagequeue config plan` while many jobs wait, on DynamoDB Local."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from benchmarks.queue.deep_queue import Reads, fill, reader_of, waiting_jobs
from scheduler.adapters.dynamodb.records.items import request_key
from scheduler.adapters.dynamodb.records.job_records import job_item
from scheduler.adapters.dynamodb.records.record_converter import Item, record
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.admission.admission import Admission
from scheduler.config.change_plan import ChangePlans
from scheduler.config.editor import ConfigEditor
from support.account.simulated_queue import PREEMPTS_AT_ONCE, request
from support.builders.callers import an_access
from support.builders.configurations import configure
from support.builders.rules import a_rule, rule_set
from support.dynamodb.stores import Stores

#: One change for each amount of work. The first changes the result for no job.
CHANGES: dict[str, dict[str, Any]] = {
    "policy": {"policy": {"patience": "1d"}},
    "rules": {"rules": rule_set(a_rule("instances_per_job", most=2))},
}


@dataclass(frozen=True)
class PlanCost:
    calls: int
    units: float
    seconds: float
    checked: int  # the number of checked jobs
    decisions: int


def plan_costs(client: Any, stores: Stores, waiting: int) -> dict[str, PlanCost]:
    """Fills the table with waiting jobs, and returns the cost of planning each change."""
    fill(client, _items(waiting))
    configure(stores.configuration, policy=PREEMPTS_AT_ONCE)
    reads, reader = Reads(client), reader_of(stores)
    admission = Admission(reader.configuration, an_access(reader.configuration))
    plans, editor = ChangePlans(reader, stores.jobs, admission, "sq"), ConfigEditor(reader.configuration, reader.clock)
    costs = {}
    for name, sections in CHANGES.items():
        change = editor.change(json.dumps(sections))
        calls, units, began = reads.calls, reads.units, perf_counter()
        found = plans.plan(change)
        seconds = perf_counter() - began
        decisions = len(found.before) + len(found.after)
        costs[name] = PlanCost(reads.calls - calls, reads.units - units, seconds, found.dry_run.checked, decisions)
    return costs


def _items(waiting: int) -> Iterator[Item]:
    """Yields the items of the jobs and of their requests. Requests have the usual size, so none is in S3."""
    no_s3: Any = None
    bodies = S3Requests(no_s3, "")
    for job in waiting_jobs(waiting):
        ((kind, instances),) = job.spec.demand.counts
        body = request(job.name, job.options.priority, kind=kind, instances=instances, HyperParameters={"x": "y" * 700})
        packed = bodies.pack(job.name, body)
        yield job_item(replace(job, body_digests=(packed.digest,)), changed_by="api")
        yield request_key(job.name) | record(packed.attributes, "api")
