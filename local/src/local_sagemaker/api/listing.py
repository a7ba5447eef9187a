"""ListTrainingJobs, and pagination. StatusEquals applies after a page is cut: an empty page may not be the last."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from local_sagemaker.errors import invalid
from local_sagemaker.state_machine.description import summarize
from local_sagemaker.state_machine.job import PoolStatus, Secondary, Status, TrainingJob

_SORT_KEYS: dict[str, Callable[[TrainingJob], Any]] = {
    "Name": attrgetter("name"),
    "CreationTime": attrgetter("created_at", "name"),
    "Status": attrgetter("status", "name"),
}


def list_page(jobs: Iterable[TrainingJob], request: dict[str, Any]) -> dict[str, Any]:
    selected = sorted(
        (job for job in jobs if _is_selected(job, request)), key=_SORT_KEYS[request.get("SortBy", "CreationTime")]
    )
    if request["SortOrder"] == "Descending":
        selected.reverse()
    page, token = paginate(selected, request)
    wanted = request.get("StatusEquals")
    return {"TrainingJobSummaries": [summarize(job) for job in page if wanted in {None, job.status}], **token}


def as_of(job: TrainingJob, moment: float) -> TrainingJob:
    """Returns the job as a list shows it that knows no later change of its status."""
    seen = [transition for transition in job.transitions if transition.start <= moment]
    if not seen or len(seen) == len(job.transitions):
        return job
    status = Status.STOPPING if seen[-1].status is Secondary.STOPPING else Status.IN_PROGRESS
    pool = job.warm_pool and replace(job.warm_pool, status=PoolStatus.IN_USE)
    return replace(job, transitions=seen, status=status, modified_at=seen[-1].start, ended_at=None, warm_pool=pool)


def paginate(jobs: list[TrainingJob], request: dict[str, Any]) -> tuple[list[TrainingJob], dict[str, str]]:
    """Returns the requested page of MaxResults jobs, 10 by default, and the NextToken if there are more."""
    start = _start(request.get("NextToken"))
    end = start + request.get("MaxResults", 10)
    return jobs[start:end], {"NextToken": _token(end)} if end < len(jobs) else {}


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


def _token(position: int) -> str:
    return urlsafe_b64encode(str(position).encode()).decode()


def _start(token: str | None) -> int:
    if token is None:
        return 0
    try:
        return int(urlsafe_b64decode(token))
    except ValueError as error:
        raise invalid("Invalid pagination token.") from error
