"""Answers ListTrainingJobs in pages. Filters apply after a page is cut, so more pages may follow an empty page."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from local_sagemaker.api.paging import cut_page
from local_sagemaker.state_machine.behaviour import Unknowns
from local_sagemaker.state_machine.description import summarize
from local_sagemaker.state_machine.job import PoolStatus, Secondary, Status, TrainingJob

_SORT_KEYS: dict[str, Callable[[TrainingJob], tuple[Any, ...]]] = {
    "Name": lambda job: (job.name,),
    "CreationTime": attrgetter("created_at", "name"),
    "Status": attrgetter("status", "name"),
}


def list_page(jobs: Iterable[TrainingJob], request: dict[str, Any], unknowns: Unknowns, now: float) -> dict[str, Any]:
    key = _SORT_KEYS[request.get("SortBy", "CreationTime")]
    found = jobs if unknowns.cuts_pages_first else [job for job in jobs if _is_selected(job, request)]
    page, token = cut_page(found, request, key, unknowns, now)
    wanted = request.get("StatusEquals")
    shown = [job for job in page if wanted in {None, job.status} and _is_selected(job, request)]
    return {"TrainingJobSummaries": [summarize(job) for job in shown], **token}


def as_of(job: TrainingJob, moment: float) -> TrainingJob:
    """Returns the job as the list shows it, before later changes of its status become visible."""
    seen = [transition for transition in job.transitions if transition.start <= moment]
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
