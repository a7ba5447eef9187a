"""ListTrainingJobs. The page is cut before StatusEquals is applied: a page may be empty and not be the last."""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from local_sagemaker.description import summarize
from local_sagemaker.job import TrainingJob
from local_sagemaker.pages import cut

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
    page, token = cut(selected, request)
    wanted = request.get("StatusEquals")
    return {"TrainingJobSummaries": [summarize(job) for job in page if wanted in {None, job.status}], **token}


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
