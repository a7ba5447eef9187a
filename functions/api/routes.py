"""Which function answers which call. A module is loaded when one of its calls is first asked: a submission, on a cold
start, need not wait for all others.
"""

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

from api.http.call import Call

ROUTES = {
    ("POST", "/add-job"): "submissions:add_job",
    ("POST", "/jobs"): "submissions:submit_job",
    ("GET", "/jobs"): "jobs:list_jobs",
    ("GET", "/jobs/{name}"): "jobs:show_job",
    ("GET", "/jobs/{name}/why"): "explanations:explain_job",
    ("POST", "/what-if"): "explanations:what_if",
    ("POST", "/jobs/{name}/cancel"): "control:cancel_job",
    ("POST", "/jobs/{name}/hold"): "control:hold_job",
    ("POST", "/jobs/{name}/release"): "control:release_job",
    ("POST", "/jobs/{name}/requeue"): "control:requeue_job",
    ("POST", "/jobs/{name}/top"): "control:top_job",
    ("POST", "/jobs/{name}/priority"): "control:prioritise_job",
    ("POST", "/cancel-jobs"): "control:cancel_jobs",
    ("GET", "/queue"): "queue:show_queue",
    ("GET", "/budget"): "queue:show_budget",
    ("PUT", "/budget"): "queue:set_budget",
    ("DELETE", "/budget"): "queue:reset_budget",
    ("POST", "/drain"): "queue:drain",
    ("POST", "/resume"): "queue:resume",
    ("GET", "/rules"): "rules:show_rules",
    ("PUT", "/rules"): "rules:apply_rules",
    ("POST", "/rules/check"): "rules:check_rules",
    ("GET", "/findings"): "rules:list_findings",
    ("GET", "/whoami"): "callers:whoami",
    ("GET", "/callers"): "callers:show_callers",
    ("PUT", "/callers"): "callers:apply_callers",
    ("POST", "/callers/check"): "callers:check_callers",
    ("GET", "/calendar"): "calendar:show_calendar",
    ("PUT", "/calendar"): "calendar:apply_calendar",
    ("POST", "/calendar/check"): "calendar:check_calendar",
    ("GET", "/pools"): "pools:show_pools",
    ("GET", "/pools/rules"): "pools:show_pool_rules",
    ("PUT", "/pools/rules"): "pools:apply_pool_rules",
    ("GET", "/prices"): "prices:show_prices",
    ("PUT", "/prices"): "prices:apply_prices",
    ("GET", "/spending"): "spending:show_spending",
    ("PUT", "/spending"): "spending:apply_spending",
    ("GET", "/history"): "history:show_history",
}


def answering(route: tuple[str, str]) -> Callable[[Call], Any]:
    """Raises KeyError if the API has no such call."""
    function: Callable[[Call], Any] = resolve_name(f"api.{ROUTES[route]}")
    return function
