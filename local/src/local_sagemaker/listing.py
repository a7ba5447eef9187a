"""ListTrainingJobs. The page is cut before StatusEquals is applied: a page may be empty and not be the last."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from local_sagemaker.description import summarize
from local_sagemaker.errors import invalid
from local_sagemaker.job import TrainingJob

_SORT_KEYS: dict[str, Callable[[TrainingJob], Any]] = {
    "Name": attrgetter("name"),
    "CreationTime": attrgetter("created_at", "name"),
    "Status": attrgetter("status", "name"),
}


def list_page(jobs: Iterable[TrainingJob], request: dict[str, Any]) -> dict[str, Any]:
    selected = sorted(
        (job for job in jobs if _is_selected(job, request)), key=_SORT_KEYS[request.get("SortBy", "CreationTime")]
    )
    if request.get("SortOrder", "Descending") == "Descending":
        selected.reverse()
    start = _start(request.get("NextToken"))
    end = start + request.get("MaxResults", 10)
    wanted = request.get("StatusEquals")
    page = [summarize(job) for job in selected[start:end] if wanted in {None, job.status}]
    answer: dict[str, Any] = {"TrainingJobSummaries": page}
    return answer | {"NextToken": _token(end)} if end < len(selected) else answer


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
