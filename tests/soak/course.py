"""The course of a soak: people submit while things go wrong, then peace, and in the end everything must have ended."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import boto3

from local_account import LocalAccount, Settings, free_port
from soak.actors import FINISHED, WAITING, Crowd
from soak.fault_injection import RESTARTS, Mischief, Restarts
from soak.job_requests import BUDGET, wishes
from soak.verdict import Claim, judge, most_held
from support.deployed.account_state import Run, left_reserved, runs
from support.deployed.container_requests import body
from support.deployed.rest_api import Door

#: Enough for a lease that nobody gave back, a sweep and a hanging job.
CALM_SECONDS = 180.0
#: No job needs more calls: each is submitted, perhaps twice, cancelled, perhaps twice, and some calls are repeated.
_CALLS_PER_JOB = 10
_LOOK_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Load:
    jobs: int
    storm_seconds: float
    calm_seconds: float = CALM_SECONDS  # at the end nothing goes wrong any more, and everything has to end
    restarts: Restarts = RESTARTS
    seed: int = 0  # of what is asked for and of what goes wrong


@dataclass(frozen=True)
class Soak:
    """What came of it."""

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
    asked_for, mishaps = Random(load.seed), Random(load.seed + 1)  # noqa: S311 - loads, not secrets
    door = Door(boto3.Session(), account.env()["SAGEQUEUE_API_URL"])
    _warm_up(door)
    begun = time.monotonic()
    sagemaker, dynamodb = boto3.client("sagemaker"), boto3.client("dynamodb")
    storm_ends = begun + load.storm_seconds
    ends = storm_ends + load.calm_seconds
    crowd = Crowd(door, ends, _CALLS_PER_JOB * load.jobs)
    mischief = Mischief(account, sagemaker, crowd, mishaps)

    mischief.begin(load.storm_seconds, load.restarts)
    crowd.submit_all(wishes(load.jobs, asked_for), until=storm_ends)
    announce(f"{len(crowd.accepted):,} jobs accepted after {time.monotonic() - begun:.0f} s")
    time.sleep(max(0.0, storm_ends - time.monotonic()))
    mischief.end()
    announce("nothing goes wrong any more; what still waits is cancelled")
    _let_everything_end(crowd, ends)

    jobs = {job["name"]: job for job in crowd.jobs()}
    ended = Counter(f"{job['state']} ({job['reason']['code']})" for job in jobs.values())
    seen = runs(sagemaker)
    (table,) = dynamodb.list_tables()["TableNames"]
    claims = judge(crowd.accepted, jobs, seen, BUDGET, left_reserved(dynamodb, table))
    met = crowd.met + mischief.met
    met["preemption"] = sum(job["preemptions"] for job in jobs.values())
    return Soak(claims, met, ended, seen, time.monotonic() - begun)


def _warm_up(door: Door) -> None:
    """The first call of each function starts a process."""
    door.submit(body("before-the-soak"))
    while door.job("before-the-soak")["state"] not in FINISHED:
        time.sleep(_LOOK_SECONDS)


def _let_everything_end(crowd: Crowd, ends_at: float) -> None:
    """What still waits is cancelled, preempted jobs too as they come back to the queue."""
    while time.monotonic() < ends_at and (unfinished := crowd.unfinished()):
        if any(job["state"] in WAITING for job in unfinished):
            crowd.cancel_waiting()
        time.sleep(_LOOK_SECONDS)
