"""The function that answers each route."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from api import budget
from api.call import Call
from api.documents import document_calls
from api.documents.document_calls import apply_document, check_document, get_document
from api.history import list_changes
from api.jobs import job_calls
from api.queue import get_queue, list_findings, list_pools
from scheduler.core.documents.document import DocumentKind

ROUTES: Mapping[tuple[str, str], Callable[[Call], Any]] = {
    ("POST", "/add-job"): job_calls.add_job,
    ("POST", "/jobs"): job_calls.submit_job,
    ("GET", "/jobs"): job_calls.list_jobs,
    ("GET", "/jobs/{name}"): job_calls.get_job,
    ("GET", "/jobs/{name}/why"): job_calls.explain_job,
    ("POST", "/what-if"): job_calls.forecast_submission,
    ("POST", "/jobs/{name}/cancel"): job_calls.cancel_job,
    ("POST", "/jobs/{name}/hold"): job_calls.hold_job,
    ("POST", "/jobs/{name}/release"): job_calls.release_job,
    ("POST", "/jobs/{name}/requeue"): job_calls.requeue_job,
    ("POST", "/jobs/{name}/top"): job_calls.top_job,
    ("POST", "/jobs/{name}/priority"): job_calls.prioritise_job,
    ("POST", "/cancel-jobs"): job_calls.cancel_jobs,
    ("GET", "/queue"): get_queue,
    ("GET", "/budget"): budget.get_budget,
    ("PUT", "/budget"): budget.set_budget,
    ("DELETE", "/budget"): budget.reset_budget,
    ("POST", "/drain"): budget.drain,
    ("POST", "/resume"): budget.resume,
    ("GET", "/pools"): list_pools,
    ("GET", "/findings"): list_findings,
    ("GET", "/history"): list_changes,
    ("GET", "/whoami"): document_calls.whoami,
    ("GET", "/rules"): partial(get_document, DocumentKind.RULES),
    ("PUT", "/rules"): partial(apply_document, DocumentKind.RULES),
    ("POST", "/rules/check"): partial(check_document, DocumentKind.RULES),
    ("GET", "/callers"): partial(get_document, DocumentKind.CALLERS),
    ("PUT", "/callers"): partial(apply_document, DocumentKind.CALLERS),
    ("POST", "/callers/check"): partial(check_document, DocumentKind.CALLERS),
    ("GET", "/calendar"): partial(get_document, DocumentKind.CALENDAR),
    ("PUT", "/calendar"): partial(apply_document, DocumentKind.CALENDAR),
    ("POST", "/calendar/check"): partial(check_document, DocumentKind.CALENDAR),
    ("GET", "/pools/rules"): partial(get_document, DocumentKind.POOL_RULES),
    ("PUT", "/pools/rules"): partial(apply_document, DocumentKind.POOL_RULES),
    ("GET", "/prices"): partial(get_document, DocumentKind.PRICES),
    ("PUT", "/prices"): partial(apply_document, DocumentKind.PRICES),
    ("GET", "/spending"): partial(get_document, DocumentKind.SPENDING),
    ("PUT", "/spending"): partial(apply_document, DocumentKind.SPENDING),
}
