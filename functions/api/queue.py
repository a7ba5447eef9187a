"""The queue as a whole: GET /queue, GET /pools and GET /findings."""

from typing_extensions import TypedDict

from api.answers import BudgetLine, Time, Violation, optional_time_view, time_view, violation_view
from api.call import Call, page_size_of
from api.jobs import job_answers
from api.jobs.job_views import job_view
from scheduler.core.capacity import capacity_memory
from scheduler.core.jobs.job import LIVE, QUEUED
from scheduler.queue import warm_pools
from scheduler.queue.summary import Summary, TeamUse
from scheduler.wiring import queue, shared

_TENTH_OF_A_CENT = 4  # digits


class FreeLine(BudgetLine):
    """Instances of one type: the limit of the budget, those in use, and those left."""

    free: int


class TeamLine(TypedDict):
    """A team's jobs and share.

    `used_instance_seconds`, divided by the weight, decides which team is next. It is the team's past use, of which
    recent use counts more, and the expected use of its running jobs.
    """

    running: dict[str, int]
    queued: int
    weight: float
    guarantee: dict[str, int]
    used_instance_seconds: float


class Shortage(TypedDict):
    """A type and subnet for which SageMaker had no instances; `failures` counts the tries. Null: any subnet."""

    instance_type: str
    spot: bool
    subnet: str | None
    failures: int
    failed_at: Time
    next_try_at: Time


class Queue(TypedDict):
    """The queue at a glance. Only jobs that have not ended are counted. `head` lists the next jobs."""

    intake_open: bool
    queued: int
    live: int
    by_state: dict[str, int]
    budget: dict[str, FreeLine]
    teams: dict[str, TeamLine]
    head: list[job_answers.Job]
    shortages: list[Shortage]


class Pool(TypedDict):
    """A warm pool: instances that SageMaker keeps after an attempt.

    `cost` is in US dollars up to now, null without a known price. `fits` names the waiting jobs that would start on it.
    `match` gives, by field, the values that a job needs for it. `lent_to` is the attempt that is about to start on it.
    """

    name: str
    job: str
    instances: dict[str, int]
    since: Time | None
    until: Time | None
    lent_to: str | None
    cost: float | None
    fits: list[str]
    match: dict[str, object]


class RefusedPool(TypedDict):
    """A type whose attempts have left no pool since then, though they asked for one: its quota is 0 or exhausted."""

    instance_type: str
    since: Time


class Pools(TypedDict):
    pools: list[Pool]
    refused: list[RefusedPool]


class Finding(TypedDict):
    """A training job started outside the queue, the rules that it broke, and whether the queue stopped it."""

    name: str
    created_at: Time
    stopped: bool
    violations: list[Violation]


class Findings(TypedDict):
    """Findings, the newest first."""

    findings: list[Finding]


def get_queue(call: Call) -> Queue:
    summary = queue.summary_reader().now()
    return {
        "intake_open": summary.intake_open,
        "queued": sum(summary.by_state.get(state, 0) for state in QUEUED),
        "live": sum(summary.by_state.get(state, 0) for state in LIVE),
        "by_state": {state.value: count for state, count in sorted(summary.by_state.items())},
        "budget": {instance_type: _budget_line(summary, instance_type) for instance_type in summary.budget.types},
        "teams": {use.team.name: _team_view(use) for use in summary.teams},
        "head": [job_view(status, call.arn_prefix) for status in summary.head],
        "shortages": [_shortage_view(shortage) for shortage in summary.shortages],
    }


def _budget_line(summary: Summary, instance_type: str) -> FreeLine:
    limit, held = summary.budget.limit[instance_type], summary.held[instance_type]
    return {"limit": limit, "held": held, "free": max(0, limit - held)}


def _shortage_view(shortage: capacity_memory.Shortage) -> Shortage:
    return {
        "instance_type": shortage.location.instance_type,
        "spot": shortage.location.spot,
        "subnet": shortage.location.subnet or None,
        "failures": shortage.failures,
        "failed_at": time_view(shortage.failed_at),
        "next_try_at": time_view(shortage.until),
    }


def _team_view(use: TeamUse) -> TeamLine:
    return {
        "running": use.running.as_dict(),
        "queued": use.queued,
        "weight": use.team.weight,
        "guarantee": use.team.guarantee.as_dict(),
        "used_instance_seconds": round(use.used, 1),
    }


def list_pools(_call: Call) -> Pools:
    reader = queue.warm_pool_reader()
    return {
        "pools": [_pool_view(pool) for pool in reader.now()],
        "refused": [{"instance_type": pool.instance_type, "since": time_view(pool.since)} for pool in reader.refused()],
    }


def _pool_view(status: warm_pools.WarmPoolStatus) -> Pool:
    pool = status.pool
    return {
        "name": pool.name,
        "job": pool.job_name,
        "instances": pool.instances.as_dict(),
        "since": optional_time_view(pool.ended_at),
        "until": optional_time_view(pool.kept_until),
        "lent_to": pool.lent_to or None,
        "cost": None if status.cost is None else round(float(status.cost), _TENTH_OF_A_CENT),
        "fits": list(status.fits),
        "match": dict(status.match),
    }


def list_findings(call: Call) -> Findings:
    found = shared.unmanaged_job_store().findings(page_size_of(call.query.get("limit")))
    findings: list[Finding] = [
        {
            "name": finding.name,
            "created_at": time_view(finding.created_at),
            "stopped": finding.stopped,
            "violations": [violation_view(violation) for violation in finding.violations],
        }
        for finding in found
    ]
    return {"findings": findings}
