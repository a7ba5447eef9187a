"""The function that answers each route.

A module is loaded with the first call of one of its routes, so that the cold start of a submission does not load all.
"""

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

from api.http.call import Call

ROUTES = {
    ("POST", "/add-job"): "jobs.submissions:add_job",
    ("POST", "/jobs"): "jobs.submissions:submit_job",
    ("GET", "/jobs"): "jobs.listing:list_jobs",
    ("GET", "/jobs/{name}"): "jobs.listing:get_job",
    ("GET", "/jobs/{name}/why"): "jobs.explanations:explain_job",
    ("POST", "/what-if"): "jobs.explanations:forecast_submission",
    ("POST", "/jobs/{name}/cancel"): "jobs.actions:cancel_job",
    ("POST", "/jobs/{name}/hold"): "jobs.actions:hold_job",
    ("POST", "/jobs/{name}/release"): "jobs.actions:release_job",
    ("POST", "/jobs/{name}/requeue"): "jobs.actions:requeue_job",
    ("POST", "/jobs/{name}/top"): "jobs.actions:top_job",
    ("POST", "/jobs/{name}/priority"): "jobs.actions:prioritise_job",
    ("POST", "/cancel-jobs"): "jobs.actions:cancel_jobs",
    ("GET", "/queue"): "queue.summary:get_queue",
    ("GET", "/budget"): "queue.budget:get_budget",
    ("PUT", "/budget"): "queue.budget:set_budget",
    ("DELETE", "/budget"): "queue.budget:reset_budget",
    ("POST", "/drain"): "queue.budget:drain",
    ("POST", "/resume"): "queue.budget:resume",
    ("GET", "/pools"): "queue.warm_pools:list_pools",
    ("GET", "/findings"): "queue.findings:list_findings",
    ("GET", "/history"): "history.changes:list_changes",
    ("GET", "/whoami"): "documents.callers:whoami",
    ("GET", "/rules"): "documents.rules:get_rules",
    ("PUT", "/rules"): "documents.rules:apply_rules",
    ("POST", "/rules/check"): "documents.rules:check_rules",
    ("GET", "/callers"): "documents.callers:get_callers",
    ("PUT", "/callers"): "documents.callers:apply_callers",
    ("POST", "/callers/check"): "documents.callers:check_callers",
    ("GET", "/calendar"): "documents.calendar:get_calendar",
    ("PUT", "/calendar"): "documents.calendar:apply_calendar",
    ("POST", "/calendar/check"): "documents.calendar:check_calendar",
    ("GET", "/pools/rules"): "documents.pool_rules:get_pool_rules",
    ("PUT", "/pools/rules"): "documents.pool_rules:apply_pool_rules",
    ("GET", "/prices"): "documents.prices:get_prices",
    ("PUT", "/prices"): "documents.prices:apply_prices",
    ("GET", "/spending"): "documents.spending:get_spending",
    ("PUT", "/spending"): "documents.spending:apply_spending",
}


def function_of(route: tuple[str, str]) -> Callable[[Call], Any]:
    """Returns the function that answers the route. Raises KeyError if the API has no such route."""
    function: Callable[[Call], Any] = resolve_name(f"api.{ROUTES[route]}")
    return function
