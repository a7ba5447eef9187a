"""Handles the calls of programs that submit and follow a tuning job, and list its trials."""

import re
from typing import Any

from botocore.awsrequest import AWSResponse

from sagequeue.hooks.handlers import KEY, Answer, Context, Handlers, JobLookup, Params, answer_instead, answered
from sagequeue.hooks.work_jobs import WorkJobs
from sagequeue.jobs.description import attempts_in_sagemaker
from sagequeue.jobs.tuning import describe_tuning, restore_tuning_identity

_TUNING = WorkJobs("tuning", "HyperParameterTuningJob", describe_tuning, restore_tuning_identity)
_TOKEN = re.compile(r"sagequeue:(?P<attempt>[0-9]{1,6}):(?P<token>.*)", re.DOTALL)


def _find_listed(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    """Lists the trials of one attempt after another. The token names the attempt and its page."""
    job = _TUNING.found(jobs, params)
    context[KEY] = (job, 0)
    if job is None or not (attempts := attempts_in_sagemaker(job)):
        return
    match = _TOKEN.fullmatch(str(params.pop("NextToken", "")))
    number = min(int(match["attempt"]), len(attempts) - 1) if match else 0
    params[_TUNING.name_member], context[KEY] = attempts[number]["name"], (job, number)
    if match and match["token"]:
        params["NextToken"] = match["token"]


def _list_none(_jobs: JobLookup, context: Context, **_: object) -> Answer | None:
    job, _number = context[KEY]
    return answered({"TrainingJobSummaries": []}) if job and not attempts_in_sagemaker(job) else None


def _continue_list(
    _jobs: JobLookup, http_response: AWSResponse, parsed: dict[str, Any], context: Context, **_: object
) -> None:
    job, number = context[KEY]
    if job is None or not attempts_in_sagemaker(job):
        return
    is_last = number == len(attempts_in_sagemaker(job)) - 1
    if parsed.get("Error", {}).get("Code") == "ResourceNotFound":  # SageMaker does not know the attempt yet
        answer_instead(http_response, parsed, {"TrainingJobSummaries": []})
    elif "Error" in parsed:
        return
    if token := parsed.get("NextToken"):
        parsed["NextToken"] = f"sagequeue:{number}:{token}"
    elif not is_last:
        parsed["NextToken"] = f"sagequeue:{number + 1}:"


TUNING_HANDLERS: Handlers = {
    **_TUNING.handlers(),
    "before-parameter-build.sagemaker.ListTrainingJobsForHyperParameterTuningJob": _find_listed,
    "before-call.sagemaker.ListTrainingJobsForHyperParameterTuningJob": _list_none,
    "after-call.sagemaker.ListTrainingJobsForHyperParameterTuningJob": _continue_list,
}
