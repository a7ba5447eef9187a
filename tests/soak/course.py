"""Runs a soak: users submit while faults happen; then the faults end, and all jobs must end."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import boto3

from local_account import LocalAccount, Settings, free_port
from soak.actors import FINISHED, WAITING, Users
from soak.fault_injection import RESTARTS, FaultInjection, Restarts
from soak.job_requests import BUDGET, job_requests
from soak.verdict import Claim, judge, most_held
from support.deployed.account_state import Run, left_reserved, runs
from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi

#: Enough for the lease of a killed function, a sweep and a hanging job.
DRAIN_SECONDS = 180.0
#: No job needs more: it is submitted and cancelled at most twice, and some calls are repeated.
_CALLS_PER_JOB = 10
_POLL_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Load:
    jobs: int
    load_seconds: float
    drain_seconds: float = DRAIN_SECONDS  # without faults, at the end: all jobs have to end
    restarts: Restarts = RESTARTS
    seed: int = 0  # of submissions and faults


@dataclass(frozen=True)
class Soak:
    """The result of a soak."""

    claims: list[Claim]
    met: Counter[str]
    ends: Counter[str]
    runs: list[Run]
    seconds: float

    @property
    def is_good(self) -> bool:
        return not any(claim.problems for claim in self.claims)

    def __str__(self) -> str:
        held = ", ".join(f"{most_held(self.runs, kind)} of {limit} × {kind}" for kind, limit in BUDGET.items())
        rows = [f"{sum(self.ends.values()):,} jobs, {len(self.runs):,} training jobs in {self.seconds:.0f} s."]
        rows.append(f"Held at most: {held}.")
        for title, counts in (("what happened", self.met), ("ends of jobs", self.ends)):
            rows += ["", f"| {title} | times |", "|---|---:|"]
            rows += [f"| {name} | {count:,} |" for name, count in sorted(counts.items())]
        return "\n".join([*rows, "", *map(str, self.claims)])


def an_account(home: Path) -> LocalAccount:
    settings = Settings(
        port=free_port(),
        sagemaker_port=free_port(),
        startup_seconds=0.3,
        budget=",".join(f"{kind}={limit}" for kind, limit in BUDGET.items()),
    )
    return LocalAccount(settings, home=home)


def soak(account: LocalAccount, load: Load, announce: Callable[[str], None]) -> Soak:
    request_random, fault_random = Random(load.seed), Random(load.seed + 1)  # noqa: S311 - loads, not secrets
    rest_api = RestApi(boto3.Session(), account.env()["SAGEQUEUE_API_URL"])
    _warm_up(rest_api)
    begun = time.monotonic()
    sagemaker, dynamodb = boto3.client("sagemaker"), boto3.client("dynamodb")
    load_ends = begun + load.load_seconds
    ends = load_ends + load.drain_seconds
    users = Users(rest_api, ends, _CALLS_PER_JOB * load.jobs)
    fault_injection = FaultInjection(account, sagemaker, users, fault_random)

    fault_injection.begin(load.load_seconds, load.restarts)
    users.submit_all(job_requests(load.jobs, request_random), until=load_ends)
    announce(f"{len(users.accepted):,} jobs accepted after {time.monotonic() - begun:.0f} s")
    time.sleep(max(0.0, load_ends - time.monotonic()))
    fault_injection.end()
    announce("faults have ended; waiting jobs are being cancelled")
    _let_everything_end(users, ends)

    jobs = {job["name"]: job for job in users.jobs()}
    ended = Counter(f"{job['state']} ({job['reason']['code']})" for job in jobs.values())
    seen = runs(sagemaker)
    (table,) = dynamodb.list_tables()["TableNames"]
    claims = judge(users.accepted, jobs, seen, BUDGET, left_reserved(dynamodb, table))
    met = users.met + fault_injection.met
    met["preemption"] = sum(job["preemptions"] for job in jobs.values())
    return Soak(claims, met, ended, seen, time.monotonic() - begun)


def _warm_up(rest_api: RestApi) -> None:
    """Runs one job, because the first call of each function starts a process."""
    rest_api.submit(body("before-the-soak"))
    while rest_api.job("before-the-soak")["state"] not in FINISHED:
        time.sleep(_POLL_SECONDS)


def _let_everything_end(users: Users, ends_at: float) -> None:
    """Cancels waiting jobs, and preempted ones when they return to the queue."""
    while time.monotonic() < ends_at and (unfinished := users.unfinished()):
        if any(job["state"] in WAITING for job in unfinished):
            users.cancel_waiting()
        time.sleep(_POLL_SECONDS)
