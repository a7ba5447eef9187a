"""The calls that list and show jobs."""

from collections.abc import Mapping

from api.http.call import Call
from api.jobs import job_answers
from api.jobs.cost_views import with_cost
from api.jobs.filters import filter_of, limit_in
from api.jobs.job_views import listing_view, request_view
from scheduler.wiring import queue, shared


def list_jobs(call: Call) -> job_answers.Listing:
    query = call.whole_query
    wanted = filter_of({name: ",".join(values) for name, values in query.items() if name not in ("limit", "next")})
    listing = queue.job_queries().list(wanted, limit_in(_only(query, "limit")), _only(query, "next"))
    return listing_view(listing, call.arn_prefix)


def show_job(call: Call) -> job_answers.Job:
    standing, request = queue.job_queries().get(call.name, call.caller)
    cost = shared.costs().of(standing.job, standing.attempt)
    return with_cost(request_view(standing, request, call.arn_prefix), cost)


def _only(query: Mapping[str, list[str]], name: str) -> str | None:
    given = query.get(name)
    return given[-1] if given else None
