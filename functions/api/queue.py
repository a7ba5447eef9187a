"""Calls about the queue as a whole: GET /queue, GET /pools and GET /findings."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from typing_extensions import TypedDict

from api.answer_size import first_within
from api.answers import BudgetLine, Time, Violation, optional_time_view, time_view, violation_view
from api.call import Call, page_size_of
from api.jobs import job_answers
from api.jobs.job_views import job_view
from scheduler.core.capacity import capacity_memory
from scheduler.core.jobs.job_state import LIVE, QUEUED
from scheduler.core.jobs.team import OwnerOrder, PreemptWithin, Team
from scheduler.core.planner.policy import DURATIONS
from scheduler.core.reconciliation import unmanaged_job
from scheduler.core.requests.redaction import is_shown_to_strangers
from scheduler.core.sections.durations import format_duration
from scheduler.queue import warm_pools
from scheduler.queue.summary import Summary, TeamUse
from scheduler.wiring import queue, shared

_TENTH_OF_A_CENT = 4  # digits after the decimal point
#: How many waiting jobs a pool lists.
_MOST_FITTING = 20


class FreeLine(BudgetLine):
    """The budget's limit for one instance type, and how many instances are in use and free."""

    free: int


class TeamLine(TypedDict):
    """A team's jobs and its share.

    `lend`, `borrow_at_most` and `ceiling` have only the instance types for which operators set values. `settings` has
    the other settings that operators set for the team, as text. The team with the lowest `used_weighted_seconds`
    relative to its weight is next. The value is the team's past use plus the expected use of its running jobs, weighted
    by instance type. Recent use counts more than older use.
    """

    running: dict[str, int]
    queued: int
    weight: float
    quota: dict[str, int]
    lend: dict[str, int]
    borrow_at_most: dict[str, int]
    ceiling: dict[str, int]
    settings: dict[str, str]
    used_weighted_seconds: float


class Shortage(TypedDict):
    """An instance type and subnet for which SageMaker had no capacity. `failures` counts the failed attempts in a row.

    A null `subnet` means any subnet.
    """

    instance_type: str
    spot: bool
    subnet: str | None
    failures: int
    failed_at: Time
    next_try_at: Time


class Queue(TypedDict):
    """The queue at a glance. It counts only unfinished jobs. `head` lists the next jobs."""

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

    `cost` is the cost so far in US dollars, or null if no price is known. `fits` lists the first twenty waiting jobs
    that would start on the pool. `match` gives the field values that a job needs to start on the pool; some are left
    out if the caller is not allowed to control the job. `lent_to` is the attempt that is about to start on the pool.
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
    """An instance type whose attempts asked for warm pools but have left none since: its quota is 0 or used up."""

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
    """Findings, most recent first."""

    findings: list[Finding]


def get_queue(call: Call) -> Queue:
    summary, is_controlled = queue.summary_reader().now(), shared.authorization().controlled_by(call.caller)
    return {
        "intake_open": summary.intake_open,
        "queued": sum(summary.by_state.get(state, 0) for state in QUEUED),
        "live": sum(summary.by_state.get(state, 0) for state in LIVE),
        "by_state": {state.value: count for state, count in sorted(summary.by_state.items())},
        "budget": {instance_type: _budget_line(summary, instance_type) for instance_type in summary.budget.types},
        "teams": {use.team.name: _team_view(use) for use in summary.teams},
        "head": first_within(
            job_view(status if is_controlled(status.job.owner) else status.for_stranger(), call.arn_prefix)
            for status in summary.head
        ),
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
        "quota": use.team.quota.as_dict(),
        "lend": dict(use.team.lend),
        "borrow_at_most": dict(use.team.borrow_at_most),
        "ceiling": dict(use.team.ceiling),
        "settings": dict(_settings_of(use.team)),
        "used_weighted_seconds": round(use.used, 1),
    }


def _settings_of(team: Team) -> Iterator[tuple[str, str]]:
    if team.preempt_within is not PreemptWithin.LOWER_PRIORITY:
        yield "preempt_within", team.preempt_within
    if team.owners is not OwnerOrder.TOGETHER:
        yield "owners", team.owners
    if team.priority_ceiling is not None:
        yield "priority_ceiling", str(team.priority_ceiling)
    for name, value in asdict(team.settings).items():
        if value is not None:
            yield name, format_duration(value) if name in DURATIONS else str(value)


def list_pools(call: Call) -> Pools:
    reader, is_controlled = queue.warm_pool_reader(), shared.authorization().controlled_by(call.caller)
    return {
        "pools": first_within(_pool_view(pool, with_texts=is_controlled(pool.owner)) for pool in reader.now()),
        "refused": [{"instance_type": pool.instance_type, "since": time_view(pool.since)} for pool in reader.refused()],
    }


def _pool_view(status: warm_pools.WarmPoolStatus, *, with_texts: bool) -> Pool:
    pool = status.pool
    return {
        "name": pool.name,
        "job": pool.job_name,
        "instances": pool.instances.as_dict(),
        "since": optional_time_view(pool.ended_at),
        "until": optional_time_view(pool.kept_until),
        "lent_to": pool.lent_to or None,
        "cost": None if status.cost is None else round(float(status.cost), _TENTH_OF_A_CENT),
        "fits": list(status.fits[:_MOST_FITTING]),
        "match": dict(status.match) if with_texts else _match_for_strangers(status.match),
    }


def _match_for_strangers(match: Mapping[str, object]) -> dict[str, object]:
    return {path: value for path, value in match.items() if is_shown_to_strangers(path)}


def list_findings(call: Call) -> Findings:
    found = shared.unmanaged_job_store().findings(page_size_of(call.query.get("limit")))
    return {"findings": first_within(map(_finding_view, found))}


def _finding_view(finding: unmanaged_job.Finding) -> Finding:
    return {
        "name": finding.name,
        "created_at": time_view(finding.created_at),
        "stopped": finding.stopped,
        "violations": [violation_view(violation) for violation in finding.violations],
    }
