"""GET /queue: the queue at a glance."""

from typing_extensions import TypedDict

from api.answers import BudgetLine, Time, time_view
from api.call import Call
from api.jobs import job_answers
from api.jobs.job_views import job_view
from scheduler.core.capacity import capacity_memory
from scheduler.core.jobs.job import LIVE, QUEUED
from scheduler.queue.summary import Summary, TeamUse
from scheduler.wiring import queue


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


def get_queue(call: Call) -> Queue:
    return _summary_view(queue.summary_reader().now(), call.arn_prefix)


def _summary_view(summary: Summary, arn_prefix: str) -> Queue:
    return {
        "intake_open": summary.intake_open,
        "queued": sum(summary.by_state.get(state, 0) for state in QUEUED),
        "live": sum(summary.by_state.get(state, 0) for state in LIVE),
        "by_state": {state.value: count for state, count in sorted(summary.by_state.items())},
        "budget": {instance_type: _budget_line(summary, instance_type) for instance_type in summary.budget.types},
        "teams": {use.team.name: _team_view(use) for use in summary.teams},
        "head": [job_view(status, arn_prefix) for status in summary.head],
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
