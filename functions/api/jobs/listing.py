"""GET /jobs and GET /jobs/{name}: list jobs, and get one with its request and cost."""

from collections.abc import Mapping

from api.http.call import Call
from api.jobs import job_answers
from api.jobs.cost_views import with_cost
from api.jobs.filters import filter_of, limit_in
from api.jobs.job_views import listing_view, request_view
from scheduler.wiring import queue, shared


def list_jobs(call: Call) -> job_answers.Listing:
    query = call.whole_query
    job_filter = filter_of({name: ",".join(values) for name, values in query.items() if name not in ("limit", "next")})
    listing = queue.job_queries().list(job_filter, limit_in(_last(query, "limit")), _last(query, "next"))
    return listing_view(listing, call.arn_prefix)


def get_job(call: Call) -> job_answers.Job:
    status, request = queue.job_queries().get(call.name, call.caller)
    cost = shared.costs().of(status.job, status.attempt)
    return with_cost(request_view(status, request, call.arn_prefix), cost)


def _last(query: Mapping[str, list[str]], name: str) -> str | None:
    values = query.get(name)
    return values[-1] if values else None
