"""Answers the lists of tuning jobs and of their trials, in pages."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from local_sagemaker.api.paging import cut_page, paginate
from local_sagemaker.state_machine.behaviour import Unknowns
from local_sagemaker.state_machine.tuning.description import summarize, trial_summary
from local_sagemaker.state_machine.tuning.job import TuningJob
from local_sagemaker.state_machine.tuning.lifecycle import TuningJobs
from local_sagemaker.state_machine.tuning.results import Result

_JOB_KEYS: dict[str, Callable[[TuningJob], tuple[Any, ...]]] = {
    "Name": lambda job: (job.name,),
    "CreationTime": attrgetter("created_at", "name"),
    "Status": attrgetter("status", "name"),
}
_TRIAL_KEYS: dict[str, Callable[[Result], Any]] = {
    "Name": lambda result: result.job.name,
    "CreationTime": lambda result: (result.job.created_at, result.job.name),
    "Status": lambda result: (result.job.status, result.job.name),
    "FinalObjectiveMetricValue": lambda result: (result.final_value, result.job.name),
}


def list_page(
    jobs: list[TuningJob], request: dict[str, Any], tuning: TuningJobs, unknowns: Unknowns, now: float
) -> dict[str, Any]:
    """Returns a page of ListHyperParameterTuningJobs. As for training jobs, filters apply after the page is cut."""
    found = jobs if unknowns.cuts_pages_first else [job for job in jobs if _is_selected(job, request)]
    key = _JOB_KEYS[request.get("SortBy", "Name")]
    page, token = cut_page(found, {"SortOrder": "Ascending"} | request, key, unknowns, now)
    wanted = request.get("StatusEquals")
    shown = [job for job in page if wanted in {None, job.status} and _is_selected(job, request)]
    return {"HyperParameterTuningJobSummaries": [summarize(job, tuning.results(job)) for job in shown], **token}


def trials_page(found: list[Result], request: dict[str, Any]) -> dict[str, Any]:
    """Returns a page of ListTrainingJobsForHyperParameterTuningJob.

    If the list is sorted by value, trials without a value are omitted.
    """
    order = request.get("SortBy", "Name")
    wanted = request.get("StatusEquals")
    listed = [result for result in found if wanted in {None, result.job.status}]
    if order == "FinalObjectiveMetricValue":
        listed = [result for result in listed if result.final_value is not None]
    listed.sort(key=_TRIAL_KEYS[order], reverse=request.get("SortOrder") == "Descending")
    page, token = paginate(listed, request)
    return {"TrainingJobSummaries": [trial_summary(result) for result in page], **token}


def _is_selected(job: TuningJob, request: dict[str, Any]) -> bool:
    return (
        request.get("NameContains", "") in job.name
        and request.get("CreationTimeAfter", job.created_at - 1) < job.created_at
        and request.get("CreationTimeBefore", job.created_at + 1) > job.created_at
        and request.get("LastModifiedTimeAfter", job.modified_at - 1) < job.modified_at
        and request.get("LastModifiedTimeBefore", job.modified_at + 1) > job.modified_at
    )
