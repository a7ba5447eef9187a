"""Measures the calls to AWS and the CPU time of the functions, for arrays of different lengths, from submission on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from time import process_time
from typing import Any

from local_sagemaker.simulation import Workload
from support.account.account import Account
from support.account.simulated_queue import request
from support.faults.call_faults import Call, NoFaults

_KIND = "ml.m5.large"
_TRAINS_SECONDS = 600
#: The same part of each array: its first hour, in which the same number of children start.
_MEASURED_SECONDS = 3600


@dataclass(frozen=True)
class ArrayCost:
    size: int
    submission_seconds: float
    submission_calls: int  # to AWS services
    started: int  # children in the measured hour
    calls: int  # to DynamoDB and S3 in that hour
    cpu_seconds: float  # of that hour, with the simulated services


def array_cost(size: int, *, is_list: bool = False) -> ArrayCost:
    """Returns the costs of an array with two parameters, as a matrix or as a list of sets."""
    account = Account(
        NoFaults(),
        parameters={"InstanceBudget": f"{_KIND}=20"},
        course=lambda _: Workload(trains=_TRAINS_SECONDS),
    )
    calls, of_api = Counter[str](), Counter[str]()

    def note(call: Call) -> None:
        calls[call.service] += 1
        of_api[call.service] += call.function == "api"

    account.ask("GET", "/queue", None)  # so that no measured call loads the models of the services
    account.ask("POST", "/arrays", _submission("warm", 2, is_list=is_list))
    account.run(_MEASURED_SECONDS)
    account.service_calls.on_call = note
    began = process_time()
    account.ask("POST", "/arrays", _submission("sweep", size, is_list=is_list))
    submitted, of_submission = process_time() - began, of_api.total()
    calls.clear()
    began = process_time()
    account.run(_MEASURED_SECONDS)
    spent = process_time() - began
    started = sum(name.startswith("sweep-") for name in account.simulation.machine.jobs)
    account.close()
    return ArrayCost(size, submitted, of_submission, started, calls["dynamodb"] + calls["s3"], spent)


def _submission(name: str, size: int, *, is_list: bool) -> dict[str, Any]:
    seeds, rates = [*range(size // 2)], [0.1, 0.01]
    matrix = {"seed": seeds, "lr": rates}
    listed = [{"seed": seed, "lr": rate} for seed in seeds for rate in rates]
    body = request(
        name,
        HyperParameters={"seed": "${seed}", "lr": "${lr}"},
        CheckpointConfig={"S3Uri": f"s3://bucket/checkpoints/{name}/${{index}}"},
    )
    return {"request": body, "parameters": listed if is_list else matrix}
