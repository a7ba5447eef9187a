"""Answers ListTrainingJobs in pages. Filters apply after a page is cut, so an empty page may not be the last."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from local_sagemaker.errors import AwsError, invalid
from local_sagemaker.state_machine.behaviour import Unknowns
from local_sagemaker.state_machine.description import summarize
from local_sagemaker.state_machine.job import PoolStatus, Secondary, Status, TrainingJob

DEFAULT_PAGE = 10
_SORT_KEYS: dict[str, Callable[[TrainingJob], tuple[Any, ...]]] = {
    "Name": lambda job: (job.name,),
    "CreationTime": attrgetter("created_at", "name"),
    "Status": attrgetter("status", "name"),
}


def list_page(jobs: Iterable[TrainingJob], request: dict[str, Any], unknowns: Unknowns, now: float) -> dict[str, Any]:
    key = _SORT_KEYS[request.get("SortBy", "CreationTime")]
    found = jobs if unknowns.cuts_pages_first else [job for job in jobs if _is_selected(job, request)]
    ordered = sorted(found, key=key, reverse=request["SortOrder"] == "Descending")
    start = _position(ordered, request, key, now - unknowns.page_token_seconds)
    page = ordered[start : start + request.get("MaxResults", DEFAULT_PAGE)]
    wanted = request.get("StatusEquals")
    shown = [job for job in page if wanted in {None, job.status} and _is_selected(job, request)]
    has_more = start + len(page) < len(ordered)
    token = {"NextToken": _token([now, *key(page[-1])])} if page and has_more else {}
    return {"TrainingJobSummaries": [summarize(job) for job in shown], **token}


def as_of(job: TrainingJob, moment: float) -> TrainingJob:
    """Returns the job as a list shows it if the list misses every later change in its status."""
    seen = [transition for transition in job.transitions if transition.start <= moment]
    if not seen or len(seen) == len(job.transitions):
        return job
    status = Status.STOPPING if seen[-1].status is Secondary.STOPPING else Status.IN_PROGRESS
    pool = job.warm_pool and replace(job.warm_pool, status=PoolStatus.IN_USE)
    return replace(job, transitions=seen, status=status, modified_at=seen[-1].start, ended_at=None, warm_pool=pool)


def paginate(jobs: list[TrainingJob], request: dict[str, Any]) -> tuple[list[TrainingJob], dict[str, str]]:
    """Returns the requested page of MaxResults jobs, 10 by default, and the NextToken if there are more."""
    start = int(_decoded(request["NextToken"])[0]) if "NextToken" in request else 0
    end = start + request.get("MaxResults", DEFAULT_PAGE)
    return jobs[start:end], {"NextToken": _token([end])} if end < len(jobs) else {}


def _position(
    ordered: list[TrainingJob], request: dict[str, Any], key: Callable[[TrainingJob], Any], oldest: float
) -> int:
    """Returns the index at which the page begins: after the last job of the previous page, even if that was deleted."""
    if "NextToken" not in request:
        return 0
    issued_at, *last = _decoded(request["NextToken"])
    if issued_at < oldest:
        raise _bad_token()
    if request["SortOrder"] == "Descending":
        return len(ordered) - bisect_left(ordered[::-1], tuple(last), key=key)
    return bisect_right(ordered, tuple(last), key=key)


def _is_selected(job: TrainingJob, request: dict[str, Any]) -> bool:
    pool = job.warm_pool.status if job.warm_pool else None
    return (
        request.get("NameContains", "") in job.name
        and request.get("CreationTimeAfter", job.created_at - 1) < job.created_at
        and request.get("CreationTimeBefore", job.created_at + 1) > job.created_at
        and request.get("LastModifiedTimeAfter", job.modified_at - 1) < job.modified_at
        and request.get("LastModifiedTimeBefore", job.modified_at + 1) > job.modified_at
        and request.get("WarmPoolStatusEquals", pool) == pool
        and request.get("TrainingPlanArnEquals", plan := job.resources.get("TrainingPlanArn")) == plan
    )


def _token(content: list[Any]) -> str:
    return urlsafe_b64encode(json.dumps(content).encode()).decode()


def _decoded(token: str) -> list[Any]:
    try:
        content: list[Any] = json.loads(urlsafe_b64decode(token))
    except ValueError as error:
        raise _bad_token() from error
    return content


def _bad_token() -> AwsError:
    return invalid("Invalid pagination token.")
