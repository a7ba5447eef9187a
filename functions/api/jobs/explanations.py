"""GET /jobs/{name}/why and POST /what-if: why a job waits, and when a submission would start."""

from collections.abc import Sequence

from api.http.bodies import json_body
from api.http.call import Call
from api.http.views import optional_time_view, reason_view, time_view
from api.jobs import explanation_answers
from api.jobs.cost_views import cost_range_view
from api.jobs.submissions import submission_of
from scheduler.core.jobs.job import Job
from scheduler.core.planner.forecast.explanation import Explanation, Forecast, PriorityParts
from scheduler.core.planner.forecast.start_estimates import StartEstimate
from scheduler.core.spending.prices.cost_range import CostRange
from scheduler.queue.warm_pools import Misfit
from scheduler.wiring import queue


def explain_job(call: Call) -> explanation_answers.Explanation:
    return _explanation_view(*queue.explanations().explain(call.name))


def forecast_submission(call: Call) -> explanation_answers.Forecast:
    submission = submission_of(json_body(call, of='{"request": {...}, "options": {...}}'))
    return _forecast_view(*queue.explanations().forecast(submission, call.caller))


def _explanation_view(
    job: Job, explanation: Explanation | None, misfits: Sequence[Misfit]
) -> explanation_answers.Explanation:
    """Returns the JSON of an explanation. A job that does not wait has none: then only reason and pools are given."""
    return {
        "name": job.name,
        "state": job.state,
        "position": explanation.position if explanation else None,
        "reason": reason_view(explanation.reason if explanation else job.reason),
        "waits_for": list(explanation.waits_for) if explanation else [],
        "priority": _priority_view(explanation.priority) if explanation else None,
        "starts": _starts_view(explanation.starts) if explanation else None,
        "near_limits": list(explanation.near_limits) if explanation else [],
        "pools": [{"pool": misfit.pool.name, "fields": list(misfit.fields)} for misfit in misfits],
    }


def _forecast_view(forecast: Forecast, cost: CostRange) -> explanation_answers.Forecast:
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


def _starts_view(starts: StartEstimate) -> explanation_answers.Starts:
    return {
        "earliest": optional_time_view(starts.earliest),
        "latest": optional_time_view(starts.latest),
        "after": starts.after or None,
    }
