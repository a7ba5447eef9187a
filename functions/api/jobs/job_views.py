"""Builds the JSON for jobs, costs, explanations and forecasts (docs/reference/rest.md)."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from api.answer_size import first_within
from api.answers import BudgetLine, optional_time_view, reason_view, time_view, violation_view
from api.jobs import job_answers
from scheduler.core.history.callbacks.callback import Callback
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Observation
from scheduler.core.jobs.demand import InstanceRange
from scheduler.core.jobs.job import Job, JobSpec
from scheduler.core.jobs.reason import Reason
from scheduler.core.jobs.start_conditions import JobDependencies
from scheduler.core.jobs.stop_notice import Save, StopNotice
from scheduler.core.jobs.work.kind import FORMS
from scheduler.core.planner.explanation import Explanation, Forecast, PriorityParts
from scheduler.core.planner.start_estimates import StartEstimate
from scheduler.core.requests.alternatives import Alternative
from scheduler.core.requests.elastic_width import hyperparameters_from
from scheduler.core.spending.prices.cost import Cost, CostRange, JobCost
from scheduler.queue.job_queries import Listing
from scheduler.queue.job_status import CurrentStatus
from scheduler.queue.warm_pools import Misfit

_DOLLAR_DIGITS = 6


def job_view(status: CurrentStatus, arn_prefix: str) -> job_answers.Job:
    job = status.job
    attempts = [_ended_attempt_view(ended) for ended in job.status.history]
    if status.attempt is not None:
        attempts.append(_live_attempt_view(status.attempt, job))
    return {
        "name": job.name,
        "arn": f"{arn_prefix}{FORMS[job.spec.kind].resource}/{job.name}",
        "kind": job.spec.kind,
        "state": job.status.state,
        "priority": job.options.priority,
        "owner": job.owner,
        "instances": job.runs_on.as_dict(),
        "preferences": list(job.spec.demand) if job.spec.has_preferences else [],
        "submitted_at": time_view(job.submitted_at),
        "updated_at": time_view(job.status.updated_at),
        "position": status.position,
        "reason": reason_view(status.reason),
        "preemptions": job.status.preemptions,
        "max_runtime": job.spec.max_runtime,
        "has_checkpoints": job.spec.checkpoint_uri is not None,
        "team": status.team,
        "options": {
            "never_preempt": job.options.never_preempt,
            "checkpoint_interval": job.options.checkpoint_interval,
            "idle_exempt": job.options.idle_exempt,
            "interactive": job.options.interactive,
            "retries": job.options.retries,
            "team": job.options.team or None,
            "source_etag": job.options.source_etag,
            "notify": [*job.options.notify],
            "order": job.options.order,
            "instances": _range_view(job.options.instances),
            "restart_tuning": job.options.restart_tuning,
            "min_parallel": job.options.min_parallel,
            "not_before": optional_time_view(job.options.times.not_before),
            "expires": optional_time_view(job.options.times.expires),
            "deadline": optional_time_view(job.options.times.deadline),
            "deadline_for": job.options.times.deadline_for,
            **_dependencies_view(job.options.dependencies),
        },
        "attempts": attempts,
        "earlier_attempts": job.status.earlier.count,
        "on_demand": job.status.on_demand,
        "choice": job.spec.choice,
        "choices": [_choice_view(choice) for choice in job.choices],
        "not_before": optional_time_view(job.status.not_before),
        "warnings": [violation_view(warning) for warning in job.status.warnings],
        "may_control": status.may_control,
        "tuning": _tuning_view(job),
    }


def detailed_job_view(
    status: CurrentStatus,
    request: Mapping[str, object],
    alternatives: Iterable[Alternative],
    cost: JobCost,
    callbacks: Sequence[Callback],
    arn_prefix: str,
) -> job_answers.Job:
    """Returns the JSON for a job, with its request, alternatives, actions, costs and results."""
    job = job_view(status, arn_prefix)
    priced = zip(job["attempts"], cost.attempts, strict=True)
    attempts: list[job_answers.Attempt] = [
        {**attempt, "cost": _cost_view(attempt_cost) if attempt_cost else None} for attempt, attempt_cost in priced
    ]
    actions: list[job_answers.Action] = [
        {"at": time_view(action.at), "kind": action.kind, "by": action.by, "message": action.message}
        for action in status.job.status.actions
    ]
    total: job_answers.JobCost = {
        **_cost_view(cost.total),
        "unknown_types": list(cost.unknown),
        "prices_as_of": cost.as_of.isoformat() if cost.as_of else None,
    }
    given = tuple(alternatives)
    if widths := job["options"]["instances"]:
        job["options"]["instances"] = {**widths, "hyperparameters": hyperparameters_from(given)}
    if widths or job["options"]["min_parallel"]:  # a separate option sets the choices
        given = ()
    choices: list[job_answers.GivenAlternative] = [
        {"request": dict(one.request), "wait_for_better": one.wait_for_better} for one in given
    ]
    return {
        **job,
        "attempts": attempts,
        "actions": actions,
        "request": dict(request),
        "alternatives": choices,
        "cost": total,
        **_results_view(status),
        # Only the kind: a token is a secret.
        "callbacks": [{"kind": one.kind, "added_at": time_view(one.added_at)} for one in callbacks],
    }


def listing_view(listing: Listing, arn_prefix: str) -> job_answers.Listing:
    budget: dict[str, BudgetLine] = {
        instance_type: {"limit": listing.budget.limit[instance_type], "held": listing.held[instance_type]}
        for instance_type in listing.budget.types
    }
    jobs = first_within(job_view(status, arn_prefix) for status in listing.job_statuses)
    is_cut = len(jobs) < len(listing.job_statuses)
    return {"jobs": jobs, "next": listing.tokens[len(jobs) - 1] if is_cut else listing.next_token, "budget": budget}


def _results_view(status: CurrentStatus) -> job_answers.Results:
    """Returns the results of the last attempt. They are empty if the job did not end with that attempt."""
    history = status.job.status.history
    last = history[-1] if history and status.may_control else None
    return {
        "model_artifacts": (last.model_artifacts or None) if last else None,
        "metrics": {name: float(value) for name, value in last.metrics} if last else {},
    }


def _dependencies_view(dependencies: JobDependencies) -> job_answers.Dependencies:
    return {
        "after_ok": [*dependencies.after_ok],
        "after_any": [*dependencies.after_any],
        "after_not_ok": [*dependencies.after_not_ok],
        "if_never_satisfied": dependencies.if_never_satisfied,
    }


def _range_view(instances: InstanceRange | None) -> job_answers.InstanceRange | None:
    return {"min": instances.min, "max": instances.max, "step": instances.step} if instances else None


def _tuning_view(job: Job) -> job_answers.Tuning | None:
    limits, progress = job.spec.tuning, job.status.tuning_progress
    if limits is None:
        return None
    return {
        "parallel": limits.parallel,
        "most_trials": limits.most_trials,
        "ended_trials": progress.trials,
        "parents": [*progress.parents],
        "continues": limits.continues,
    }


def _choice_view(choice: JobSpec) -> job_answers.Choice:
    return {
        "instances": choice.demand.as_dict(),
        "spot": choice.spot,
        "max_runtime": choice.max_runtime,
        "wait_for_better": choice.wait_for_better,
    }


def _ended_attempt_view(ended: EndedAttempt) -> job_answers.Attempt:
    return {
        "number": ended.number,
        "name": ended.name,
        "outcome": ended.outcome,
        "status": ended.status,
        "secondary_status": ended.secondary_status,
        "message": "",
        "reserved_at": time_view(ended.reserved_at),
        "training_started_at": optional_time_view(ended.training_started_at),
        "ended_at": time_view(ended.ended_at),
        "failure_reason": ended.failure_reason,
        "beneficiary": ended.beneficiary,
        "interruptions": ended.interruptions,
        "failure_class": ended.failure_class,
        "action": ended.action,
        "on_pool": ended.on_pool or None,
        "billable_seconds": ended.billable_seconds,
        "retained_seconds": ended.retained_seconds,
        "choice": ended.choice,
        "selected": ended.selected.as_dict() or None,
        "takes_notice": False,
        "listens": False,
        "notice": None,
        "saved": _save_view(ended.saved),
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
        "choice": job.spec.choice,
        "selected": job.status.selected.as_dict() or None,
        "takes_notice": attempt.takes_notice,
        "listens": attempt.listens,
        "notice": _notice_view(attempt.notice),
        "saved": _save_view(attempt.saved),
    }


def _notice_view(notice: StopNotice | None) -> job_answers.StopNotice | None:
    return {"asked_at": time_view(notice.asked_at), "deadline": time_view(notice.deadline)} if notice else None


def _save_view(save: Save | None) -> job_answers.Save | None:
    return {"step": save.step, "saved_at": time_view(save.saved_at)} if save and save.step is not None else None


def cost_range_view(cost: CostRange) -> job_answers.CostRange:
    return {
        "least_dollars": None if cost.least is None else _rounded(cost.least),
        "most_dollars": None if cost.most is None else _rounded(cost.most),
        "expected_run_time": cost.expected_run_time,
        "max_runtime": cost.max_runtime,
        "spot": cost.spot,
        "unknown_types": list(cost.unknown),
        "prices_as_of": cost.as_of.isoformat() if cost.as_of else None,
    }


def _cost_view(cost: Cost) -> job_answers.AttemptCost:
    return {
        "dollars": _rounded(cost.training),
        "retained_dollars": _rounded(cost.retained),
        "saved_dollars": _rounded(cost.saved),
        "wasted_dollars_at_most": _rounded(cost.wasted_at_most),
        "final": cost.is_final,
    }


def _rounded(dollars: Decimal) -> float:
    return round(float(dollars), _DOLLAR_DIGITS)


def explanation_view(
    job: Job, reason: Reason, explanation: Explanation | None, misfits: Sequence[Misfit]
) -> job_answers.Explanation:
    """Returns the JSON for an explanation. For a job that does not wait, it has only the reason and the pools."""
    return {
        "name": job.name,
        "state": job.status.state,
        "position": explanation.position if explanation else None,
        "reason": reason_view(reason),
        "waits_for": list(explanation.waits_for) if explanation else [],
        "priority": _priority_view(explanation.priority) if explanation else None,
        "starts": _starts_view(explanation.starts) if explanation else None,
        "near_limits": list(explanation.near_limits) if explanation else [],
        "ranking": list(explanation.ranking) if explanation else [],
        "deadline": explanation.deadline if explanation else None,
        "pools": [{"pool": misfit.pool.name, "fields": list(misfit.fields)} for misfit in misfits],
    }


def forecast_view(job: Job, forecast: Forecast, cost: CostRange) -> job_answers.Forecast:
    return {
        "starts_now": forecast.starts_now,
        "behind": forecast.behind,
        "preempts": list(forecast.preempts),
        "reason": reason_view(forecast.reason),
        "starts": _starts_view(forecast.starts),
        "deadline": forecast.deadline,
        "cost_range": cost_range_view(cost),
        "choices": [_choice_view(option.spec) for option in job.each_choice],
    }


def _priority_view(parts: PriorityParts) -> job_answers.PriorityParts:
    return {
        "is_reserved_for": parts.is_reserved_for,
        "is_long_waiting": parts.is_long_waiting,
        "is_below_quota": parts.is_below_quota,
        "priority": parts.priority,
        "owner_weighted_seconds": None if parts.owner_use is None else round(parts.owner_use, 1),
        "expected_run_time": parts.expected_run_time,
        "submitted_at": time_view(parts.submitted_at),
    }


def _starts_view(starts: StartEstimate) -> job_answers.Starts:
    return {
        "earliest": optional_time_view(starts.earliest),
        "latest": optional_time_view(starts.latest),
        "after": starts.after or None,
    }
