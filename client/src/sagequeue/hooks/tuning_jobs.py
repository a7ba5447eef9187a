"""Handles the calls of programs that submit and follow a tuning job.

As in `training_jobs.py`, the handlers of one call share botocore's context, and None means that the job is not in the
queue: its call goes to SageMaker unchanged.
"""

import re
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.signers import RequestSigner

from sagequeue.contract.jobs import Job
from sagequeue.hooks.handlers import KEY, Answer, Context, Handlers, JobLookup, Params, answer_instead, answered
from sagequeue.jobs.description import attempts_in_sagemaker, kind_of
from sagequeue.jobs.tuning import describe_tuning, restore_tuning_identity

_NAME = "HyperParameterTuningJobName"
_TOKEN = re.compile(r"sagequeue:(?P<attempt>[0-9]{1,6}):(?P<token>.*)", re.DOTALL)


def _remember_request(_jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    context[KEY] = params


def _submit(jobs: JobLookup, context: Context, request_signer: RequestSigner, **_: object) -> Answer:
    jobs.refuse_other_region(request_signer.region_name)
    return answered({"HyperParameterTuningJobArn": jobs.submit(context[KEY])["arn"]})


def _found(jobs: JobLookup, params: Params) -> Job | None:
    job = jobs.find(params.get(_NAME))
    return job if job and kind_of(job) == "tuning" else None


def _find(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    context[KEY] = _found(jobs, params)


def _find_described(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    context[KEY] = job = _found(jobs, params)
    if job and (attempts := attempts_in_sagemaker(job)):
        params[_NAME] = attempts[-1]["name"]


def _describe(_jobs: JobLookup, context: Context, **_: object) -> Answer | None:
    job: Job | None = context[KEY]
    return answered(describe_tuning(job)) if job and not attempts_in_sagemaker(job) else None


def _correct(
    _jobs: JobLookup, http_response: AWSResponse, parsed: dict[str, Any], context: Context, **_: object
) -> None:
    """Answers from the queue's record if SageMaker does not know the attempt yet, or the caller may not see it."""
    job: Job | None = context[KEY]
    if job is None:
        return
    if "Error" in parsed:
        answer_instead(http_response, parsed, describe_tuning(job))
    elif attempts_in_sagemaker(job):
        restore_tuning_identity(job, parsed)


def _stop(jobs: JobLookup, context: Context, **_: object) -> Answer | None:
    job: Job | None = context[KEY]
    if job is None:
        return None
    jobs.cancel(job["name"])
    return answered({})


def _find_listed(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    """Lists the trials of one attempt after another. The token names the attempt and its page."""
    job = _found(jobs, params)
    context[KEY] = (job, 0)
    if job is None or not (attempts := attempts_in_sagemaker(job)):
        return
    match = _TOKEN.fullmatch(str(params.pop("NextToken", "")))
    number = min(int(match["attempt"]), len(attempts) - 1) if match else 0
    params[_NAME], context[KEY] = attempts[number]["name"], (job, number)
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
    "before-parameter-build.sagemaker.CreateHyperParameterTuningJob": _remember_request,
    "before-call.sagemaker.CreateHyperParameterTuningJob": _submit,
    "before-parameter-build.sagemaker.DescribeHyperParameterTuningJob": _find_described,
    "before-call.sagemaker.DescribeHyperParameterTuningJob": _describe,
    "after-call.sagemaker.DescribeHyperParameterTuningJob": _correct,
    "before-parameter-build.sagemaker.StopHyperParameterTuningJob": _find,
    "before-call.sagemaker.StopHyperParameterTuningJob": _stop,
    "before-parameter-build.sagemaker.ListTrainingJobsForHyperParameterTuningJob": _find_listed,
    "before-call.sagemaker.ListTrainingJobsForHyperParameterTuningJob": _list_none,
    "after-call.sagemaker.ListTrainingJobsForHyperParameterTuningJob": _continue_list,
}
