"""The JSON of jobs (docs/api.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from api.http.views import optional_time_view, reason_view, time_view, violation_view
from scheduler.core.jobs.action import Action
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Observation
from scheduler.core.jobs.job import Choice, Job
from scheduler.queue.job_status import JobStatus
from scheduler.queue.submission import Listing

if TYPE_CHECKING:
    from api.http import answers
    from api.jobs import job_answers


def job_view(standing: JobStatus, arn_prefix: str) -> job_answers.Job:
    job = standing.job
    attempts = [_past_attempt_view(past) for past in job.history]
    if standing.attempt is not None:
        attempts.append(_live_attempt_view(standing.attempt, job))
    return {
        "name": job.name,
        "arn": arn_prefix + job.name,
        "state": job.state,
        "priority": job.priority,
        "owner": job.owner,
        "instances": job.runs_on.as_dict(),
        "preferences": list(job.demand) if job.has_preferences else [],
        "submitted_at": time_view(job.submitted_at),
        "updated_at": time_view(job.updated_at),
        "position": standing.position,
        "reason": reason_view(standing.reason),
        "preemptions": job.preemptions,
        "max_runtime": job.max_runtime,
        "has_checkpoints": job.checkpoint_uri is not None,
        "team": standing.team,
        "options": {
            "never_preempt": job.never_preempt,
            "checkpoint_interval": job.checkpoint_interval,
            "idle_exempt": job.idle_exempt,
        },
        "attempts": attempts,
        "on_demand": job.on_demand,
        "choice": job.choice,
        "choices": [_choice_view(choice) for choice in job.choices],
        "not_before": optional_time_view(job.not_before),
        "warnings": [violation_view(warning) for warning in job.warnings],
    }


def request_view(standing: JobStatus, request: Mapping[str, object], arn_prefix: str) -> job_answers.Job:
    actions = [_action_view(action) for action in standing.job.actions]
    return {**job_view(standing, arn_prefix), "actions": actions, "request": dict(request)}


def listing_view(listing: Listing, arn_prefix: str) -> job_answers.Listing:
    budget: dict[str, answers.BudgetLine] = {
        kind: {"limit": listing.budget.limit[kind], "held": listing.held[kind]} for kind in listing.budget.types
    }
    jobs = [job_view(standing, arn_prefix) for standing in listing.job_statuses]
    return {"jobs": jobs, "next": listing.next_token, "budget": budget}


def _choice_view(choice: Choice) -> job_answers.Choice:
    return {
        "instances": choice.demand.as_dict(),
        "spot": choice.spot,
        "max_runtime": choice.max_runtime,
        "wait_for_better": choice.wait_for_better,
    }


def _action_view(action: Action) -> job_answers.Action:
    return {"at": time_view(action.at), "kind": action.kind, "by": action.by, "message": action.message}


def _past_attempt_view(past: EndedAttempt) -> job_answers.Attempt:
    return {
        "number": past.number,
        "name": past.name,
        "outcome": past.outcome,
        "status": past.status,
        "secondary_status": past.secondary_status,
        "message": "",
        "reserved_at": time_view(past.reserved_at),
        "training_started_at": optional_time_view(past.training_started_at),
        "ended_at": time_view(past.ended_at),
        "failure_reason": past.failure_reason,
        "beneficiary": past.beneficiary,
        "interruptions": past.interruptions,
        "failure_class": past.failure_class,
        "action": past.action,
        "on_pool": past.on_pool or None,
        "billable_seconds": past.billable_seconds,
        "retained_seconds": past.retained,
        "choice": past.choice,
        "selected": past.selected.as_dict() or None,
    }


def _live_attempt_view(attempt: Attempt, job: Job) -> job_answers.Attempt:
    observation = attempt.observation or Observation("InProgress", "Starting", attempt.reserved_at)
    return {
        "number": attempt.number,
        "name": attempt.name,
        "outcome": None,
        "status": observation.status,
        "secondary_status": observation.secondary_status,
        "message": observation.message,
        "reserved_at": time_view(attempt.reserved_at),
        "training_started_at": optional_time_view(observation.training_started_at),
        "ended_at": None,
        "failure_reason": observation.failure_reason,
        "beneficiary": "",
        "interruptions": observation.interruptions,
        "failure_class": None,
        "action": "",
        "on_pool": attempt.started_on or None,
        "billable_seconds": None,
        "retained_seconds": 0,
        "choice": job.choice,
        "selected": job.selected.as_dict() or None,
    }
