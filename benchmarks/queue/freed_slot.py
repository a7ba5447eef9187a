"""Measures how long a freed instance stays free on the local account while jobs wait, with and without events.

SageMaker's own times count: from the end of one training job to the creation of the next.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import boto3
import requests

from local_account import LocalAccount, Settings, free_port
from local_guard.rule import KEY_HEADER
from support.deployed.account_state import Run, runs
from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi

_POLL_SECONDS = 1.0
_TIMEOUT_SECONDS = 10


def freed_slot_seconds(with_events: int, without_events: int) -> tuple[list[float], list[float]]:
    """Returns the times between jobs that run one after the other on one instance."""
    settings = Settings(port=free_port(), sagemaker_port=free_port(), startup_seconds=0.3, budget="ml.m5.large=1")
    with TemporaryDirectory(prefix="slot-") as home, LocalAccount(settings, home=Path(home)) as account:
        os.environ.update(account.env())
        rest_api = RestApi(boto3.Session(), account.env()["SAGEQUEUE_API_URL"])
        _play(rest_api, "warm-up", 2)  # each function's first call starts a process
        with_times = _play(rest_api, "with", with_events)
        rule: dict[str, list[float]] = {"arrives_after": []}  # events are lost
        url = f"{settings.sagemaker_endpoint}/_control/events"
        requests.post(url, json=rule, headers={KEY_HEADER: account.key}, timeout=_TIMEOUT_SECONDS).raise_for_status()
        return with_times, _play(rest_api, "without", without_events)


def _play(rest_api: RestApi, name: str, jobs: int) -> list[float]:
    names = [f"{name}-{number:02}" for number in range(jobs)]
    for job in names:
        rest_api.submit(body(job, "sleep 3"))  # longer than SageMaker's own interval between two Creates
    while any(rest_api.job(job)["state"] != "completed" for job in names):
        time.sleep(_POLL_SECONDS)
    return _gaps([run for run in runs(boto3.client("sagemaker")) if run.job in names])


def _gaps(of_one_slot: Sequence[Run]) -> list[float]:
    return [
        (after.created_at - before.ended_at).total_seconds()
        for before, after in pairwise(of_one_slot)
        if before.ended_at
    ]
