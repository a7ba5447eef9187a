"""Handles the calls of programs that submit and follow a processing job.

As in `training_jobs.py`, the handlers of one call share botocore's context, and None means that the job is not in the
queue: its call goes to SageMaker unchanged.
"""

from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.signers import RequestSigner

from sagequeue.contract.jobs import Job
from sagequeue.hooks.handlers import KEY, Answer, Context, Handlers, JobLookup, Params, answer_instead, answered
from sagequeue.jobs.description import attempts_in_sagemaker, kind_of
from sagequeue.jobs.processing import describe_processing, restore_processing_identity

_NAME = "ProcessingJobName"


def _remember_request(_jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    context[KEY] = params


def _submit(jobs: JobLookup, context: Context, request_signer: RequestSigner, **_: object) -> Answer:
    jobs.refuse_other_region(request_signer.region_name)
    return answered({"ProcessingJobArn": jobs.submit(context[KEY])["arn"]})


def _find(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    job = jobs.find(params.get(_NAME))
    context[KEY] = job if job and kind_of(job) == "processing" else None


def _find_described(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    _find(jobs, params, context)
    job: Job | None = context[KEY]
    if job and (attempts := attempts_in_sagemaker(job)):
        params[_NAME] = attempts[-1]["name"]


def _describe(_jobs: JobLookup, context: Context, **_: object) -> Answer | None:
    job: Job | None = context[KEY]
    return answered(describe_processing(job)) if job and not attempts_in_sagemaker(job) else None


def _correct(
    _jobs: JobLookup, http_response: AWSResponse, parsed: dict[str, Any], context: Context, **_: object
) -> None:
    """Answers from the queue's record if SageMaker does not know the attempt yet, or the caller may not see it."""
    job: Job | None = context[KEY]
    if job is None:
        return
    if "Error" in parsed:
        answer_instead(http_response, parsed, describe_processing(job))
    elif attempts_in_sagemaker(job):
        restore_processing_identity(job, parsed)


def _stop(jobs: JobLookup, context: Context, **_: object) -> Answer | None:
    job: Job | None = context[KEY]
    if job is None:
        return None
    jobs.cancel(job["name"])
    return answered({})


PROCESSING_HANDLERS: Handlers = {
    "before-parameter-build.sagemaker.CreateProcessingJob": _remember_request,
    "before-call.sagemaker.CreateProcessingJob": _submit,
    "before-parameter-build.sagemaker.DescribeProcessingJob": _find_described,
    "before-call.sagemaker.DescribeProcessingJob": _describe,
    "after-call.sagemaker.DescribeProcessingJob": _correct,
    "before-parameter-build.sagemaker.StopProcessingJob": _find,
    "before-call.sagemaker.StopProcessingJob": _stop,
}
