"""Measures jobs from their submission through the REST API to their end, with real functions and simulated services."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from time import process_time

from benchmarks.queue.metered import Metered
from local_sagemaker.simulation import Workload
from scheduler.wiring import shared
from support.account.account import Account
from support.account.simulated_queue import request
from support.dynamodb.client import TableClient
from support.faults.call_faults import Call, NoFaults

_KIND = "ml.m5.large"
_AT_ONCE = 100
_TRAINS_SECONDS = 600
_HISTORY_BATCH = 100


@dataclass(frozen=True)
class Throughput:
    """Rates per CPU second of this process, so that other work on the machine has no effect."""

    submissions: float
    jobs: float  # launched and completed
    sagemaker: Counter[str]  # calls
    simulated_seconds: float


def throughput(count: int) -> Throughput:
    _warm_up()
    account = _account()
    calls: Counter[str] = Counter()

    def note(call: Call) -> None:
        if call.service == "sagemaker":
            calls[call.operation] += 1

    account.service_calls.on_call = note
    began, started = account.now, process_time()
    _submit(account, count)
    submitted = process_time()
    _run_all(account, count)
    ended = process_time()
    seconds = account.now - began
    account.close()
    return Throughput(count / (submitted - started), count / (ended - submitted), calls, seconds)


@dataclass(frozen=True)
class Units:
    """The DynamoDB units of all jobs."""

    read: float
    written: Mapping[str, float]  # by kind of record, and all indexes together


def units(count: int) -> Units:
    account = _account()
    metered = _meter(account)
    _submit(account, count)
    _run_all(account, count)
    _keep_history(account)
    account.close()
    return Units(metered.read, metered.written)


def _warm_up() -> None:
    """Runs one job before the measurement, because a process reads botocore's service models only once."""
    account = _account()
    _submit(account, 1)
    _run_all(account, 1)
    account.close()


def _account() -> Account:
    return Account(
        NoFaults(),
        course=lambda _request: Workload(trains=_TRAINS_SECONDS),
        parameters={"InstanceBudget": f"{_KIND}={_AT_ONCE}"},
    )


def _meter(account: Account) -> Metered:
    """Replaces the simulation's client until the account is closed."""
    names = vars(shared)
    client = names["client"]
    metered = Metered(TableClient(account.table, account.service_calls.to_table))
    names["client"] = lambda name, **_: metered if name == "dynamodb" else client(name)
    return metered


def _submit(account: Account, count: int) -> None:
    """Submits jobs with an empty budget, so that launches are measured separately."""
    account.ask("PUT", "/budget", {"budget": {_KIND: 0}})
    for number in range(count):
        answer = account.ask("POST", "/add-job", request(f"job-{number:05}"))
        if answer.status != 201:
            raise AssertionError(answer)


def _run_all(account: Account, count: int) -> None:
    account.ask("DELETE", "/budget")
    while _completed(account) < count:
        account.run(60)


def _keep_history(account: Account) -> None:
    """Invokes the history function with the records of the table's stream, after all jobs have ended."""
    records = account.function_calls.history_records
    for start in range(0, len(records), _HISTORY_BATCH):
        batch = records[start : start + _HISTORY_BATCH]
        account.invoke("history", {"Records": batch}, "history", lambda _process: None)
        account.run(10)


def _completed(account: Account) -> int:
    return sum(item.get("state") == {"S": "completed"} for item in account.table.items.values())
