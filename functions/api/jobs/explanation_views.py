"""The JSON of explanations and forecasts (docs/api.md)."""

from collections.abc import Sequence

from api.http.views import optional_time_view, reason_view, time_view
from api.jobs import explanation_answers
from api.jobs.cost_views import cost_range_view
from api.queue.pool_views import misfit_view
from scheduler.core.jobs.job import Job
from scheduler.core.planner.forecast.explanation import Explanation, Forecast, PriorityParts
from scheduler.core.planner.forecast.start_estimates import Starts
from scheduler.core.spending.prices.cost_range import CostRange
from scheduler.queue.warm_pools import Misfit


def why_view(job: Job, why: Explanation | None, misfits: Sequence[Misfit]) -> explanation_answers.Explanation:
    """Of a job that does not wait only the reason and the pools say something."""
    return {
        "name": job.name,
        "state": job.state,
        "position": why.position if why else None,
        "reason": reason_view(why.reason if why else job.reason),
        "waits_for": list(why.waits_for) if why else [],
        "priority": _priority_view(why.priority) if why else None,
        "starts": _starts_view(why.starts) if why else None,
        "near_limits": list(why.near_limits) if why else [],
        "pools": [misfit_view(misfit) for misfit in misfits],
    }


def forecast_view(forecast: Forecast, cost: CostRange) -> explanation_answers.Forecast:
    return {
        "starts_now": forecast.starts_now,
        "behind": forecast.behind,
        "preempts": list(forecast.preempts),
        "reason": reason_view(forecast.reason),
        "starts": _starts_view(forecast.starts),
        "cost_range": cost_range_view(cost),
    }


def _priority_view(parts: PriorityParts) -> explanation_answers.PriorityParts:
    return {
        "is_reserved_for": parts.is_reserved_for,
        "is_long_waiting": parts.is_long_waiting,
        "is_below_guarantee": parts.is_below_guarantee,
        "priority": parts.priority,
        "expected_run_time": parts.expected_run_time,
        "submitted_at": time_view(parts.submitted_at),
    }


def _starts_view(starts: Starts) -> explanation_answers.Starts:
    return {
        "earliest": optional_time_view(starts.earliest),
        "latest": optional_time_view(starts.latest),
        "after": starts.after or None,
    }
