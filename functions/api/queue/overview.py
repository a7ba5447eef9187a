"""The JSON of the queue at a glance (docs/api.md)."""

from api.http.views import time_view
from api.jobs.job_views import job_view
from api.queue import queue_answers
from scheduler.core.capacity.capacity_memory import Shortage
from scheduler.core.jobs.job import LIVE, QUEUED
from scheduler.queue.summary import Summary, TeamUse


def overview_view(seen: Summary, arn_prefix: str) -> queue_answers.Queue:
    return {
        "intake_open": seen.intake_open,
        "queued": sum(seen.by_state.get(state, 0) for state in QUEUED),
        "live": sum(seen.by_state.get(state, 0) for state in LIVE),
        "by_state": {state.value: count for state, count in sorted(seen.by_state.items())},
        "budget": {kind: _budget_line(seen, kind) for kind in seen.budget.types},
        "teams": {use.team.name: _team_view(use) for use in seen.teams},
        "head": [job_view(standing, arn_prefix) for standing in seen.head],
        "shortages": [_shortage_view(known) for known in seen.shortages],
    }


def _budget_line(seen: Summary, kind: str) -> queue_answers.FreeLine:
    limit, held = seen.budget.limit[kind], seen.held[kind]
    return {"limit": limit, "held": held, "free": max(0, limit - held)}


def _shortage_view(known: Shortage) -> queue_answers.Shortage:
    return {
        "instance_type": known.location.instance_type,
        "spot": known.location.spot,
        "subnet": known.location.subnet or None,
        "failures": known.failures,
        "failed_at": time_view(known.failed_at),
        "next_try_at": time_view(known.until),
    }


def _team_view(use: TeamUse) -> queue_answers.TeamLine:
    return {
        "running": use.running.as_dict(),
        "queued": use.queued,
        "weight": use.team.weight,
        "guarantee": use.team.guarantee.as_dict(),
        "used_instance_seconds": round(use.used, 1),
    }
