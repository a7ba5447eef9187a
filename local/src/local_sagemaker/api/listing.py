"""ListTrainingJobs. The page is cut before StatusEquals is applied: a page may be empty and not be the last."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from local_sagemaker.api.pages import cut
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
    page, token = cut(selected, request)
    wanted = request.get("StatusEquals")
    return {"TrainingJobSummaries": [summarize(job) for job in page if wanted in {None, job.status}], **token}


def as_of(job: TrainingJob, moment: float) -> TrainingJob:
    """The job as a list shows it that knows no later change of its status."""
    seen = [one for one in job.transitions if one.start <= moment]
    if not seen or len(seen) == len(job.transitions):
        return job
    status = Status.STOPPING if seen[-1].status is Secondary.STOPPING else Status.IN_PROGRESS
    pool = job.warm_pool and replace(job.warm_pool, status=PoolStatus.IN_USE)
    return replace(job, transitions=seen, status=status, modified_at=seen[-1].start, ended_at=None, warm_pool=pool)


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
