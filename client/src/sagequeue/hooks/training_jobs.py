"""Handles the calls of programs that submit and follow a job: SageMaker's operations, and the listing of log streams.

The handlers of one call share botocore's context: `before-parameter-build` stores the job or the request there, and
later handlers read it. None means that the job is not in the queue: its call goes to SageMaker unchanged.
"""

import sys
import warnings
from threading import Lock
from typing import Any

import boto3
from botocore.awsrequest import AWSResponse
from botocore.exceptions import ClientError
from botocore.signers import RequestSigner

from sagequeue.api.answers import is_denied
from sagequeue.contract.jobs import Job
from sagequeue.errors import NotRunning
from sagequeue.hooks.handlers import (
    KEY,
    PROBE,
    Answer,
    Context,
    Handlers,
    JobLookup,
    Params,
    Target,
    answer_instead,
    answered,
    stop_in_queue,
)
from sagequeue.hooks.v3_waits import show_waits
from sagequeue.jobs.description import (
    PROCESSING_JOBS,
    TRAINING_JOBS,
    deciding_attempt,
    describe,
    describe_ended,
    live_attempt,
    log_group_of,
    restore_job_identity,
)
from sagequeue.jobs.logs import NOT_READABLE

_QUEUED = (":training-job/", ":hyper-parameter-tuning-job/", ":processing-job/")
_LOG_GROUPS = (TRAINING_JOBS, PROCESSING_JOBS)
_creating = Lock()  # boto3 sessions are not thread-safe


def _remember_request(_jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    context[KEY] = params


def _submit(jobs: JobLookup, context: Context, request_signer: RequestSigner, **_: object) -> Answer:
    request = context[KEY]
    if request["TrainingJobName"] == PROBE:
        return answered({"TrainingJobArn": PROBE})
    jobs.refuse_other_region(request_signer.region_name)
    _prepare_waits()
    return answered({"TrainingJobArn": jobs.submit(request)["arn"]})


def _find(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    job = jobs.find(params.get("TrainingJobName"))
    context[KEY] = job if job and job["kind"] == "training" else None


def _find_described(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    _find(jobs, params, context)
    if context[KEY]:
        _prepare_waits()
        jobs.check_source(context[KEY])
    attempt = context[KEY] and deciding_attempt(context[KEY])
    if attempt:
        params["TrainingJobName"] = attempt["name"]


def _prepare_waits() -> None:
    """Prepares SDK v3 for queued jobs: it waits for a job only after it has created or described the job."""
    if "sagemaker.core.resources" in sys.modules:
        show_waits()


def _describe(_jobs: JobLookup, context: Context, **_: object) -> Answer | None:
    job: Job | None = context[KEY]
    return answered(describe(job)) if job and not deciding_attempt(job) else None


def _correct(
    jobs: JobLookup, http_response: AWSResponse, parsed: dict[str, Any], context: Context, **_: object
) -> None:
    job: Job | None = context[KEY]
    if job and is_denied(parsed):
        answer_instead(http_response, parsed, describe_ended(job))
    elif job is None or "Error" in parsed:
        return
    elif deciding_attempt(job):
        restore_job_identity(job, parsed)
    parsed["SecondaryStatusTransitions"] = jobs.no_fewer(job["name"], parsed["SecondaryStatusTransitions"])


def _find_updated(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    _find(jobs, params, context)
    job: Job | None = context[KEY]
    if job:
        params["TrainingJobName"] = _running_attempt(job)


def _running_attempt(job: Job) -> str:
    attempt = live_attempt(job)
    if attempt is None or job["state"] != "running":
        raise NotRunning(
            f"{job['name']} is {job['state']}; only a running job can be updated.",
            "Wait until it runs, or cancel it and submit it again with other settings.",
        )
    return attempt["name"]


def _put_arn_back(_jobs: JobLookup, parsed: dict[str, Any], context: Context, **_: object) -> None:
    job: Job | None = context[KEY]
    if job and "TrainingJobArn" in parsed:
        parsed["TrainingJobArn"] = job["arn"]


def _find_tagged(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    arn = str(params.get("ResourceArn"))
    job = jobs.find(arn.rpartition("/")[2]) if any(kind in arn for kind in _QUEUED) else None
    context[KEY] = job if job and job["arn"] == arn else None


def _list_tags(_jobs: JobLookup, context: Context, **_: object) -> Answer | None:
    job: Job | None = context[KEY]
    return answered({"Tags": job["request"].get("Tags", [])}) if job else None


def _find_listed(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    """Finds the attempts: SageMaker names streams after attempts, and SDK v2 lists `<job name>/`."""
    name, slash, rest = str(params.get("logStreamNamePrefix")).partition("/")
    group = params.get("logGroupName")
    # `_list_streams` itself asks for the streams of attempts.
    job = jobs.find(name) if slash and group in _LOG_GROUPS and name not in jobs.followed else None
    context[KEY] = None
    if job and log_group_of(job) == group:
        attempts = [attempt["name"] for attempt in job["attempts"]]
        jobs.followed.update(attempts)
        context[KEY] = (group, [f"{attempt}/{rest}" for attempt in attempts])


def _list_streams(_jobs: JobLookup, target: Target, context: Context, **_: object) -> Answer | None:
    """Answers with all streams at once: SDK v2 would ask for the first of several pages again and again, forever."""
    if context[KEY] is None:
        return None
    group, prefixes = context[KEY]
    list_pages = _logs_of(target, context).get_paginator("describe_log_streams").paginate
    each = [list_pages(logGroupName=group, logStreamNamePrefix=prefix) for prefix in prefixes]
    try:
        streams = [stream for pages in each for page in pages for stream in page["logStreams"]]
    except ClientError as error:
        if not is_denied(error.response):
            raise
        _warn_of_log()
        streams = []
    return answered({"logStreams": streams})


def _logs_of(target: Target, context: Context) -> Any:
    """Returns a client like the one that makes this call: handlers do not get the client itself."""
    if not isinstance(target, boto3.Session):
        return target
    with _creating:
        return target.client("logs", region_name=context["client_region"], config=context["client_config"])


def _find_followed(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    attempt = str(params.get("logStreamName")).partition("/")[0]
    context[KEY] = params.get("logGroupName") in _LOG_GROUPS and attempt in jobs.followed


def _no_lines(
    _jobs: JobLookup, http_response: AWSResponse, parsed: dict[str, Any], context: Context, **_: object
) -> None:
    if context[KEY] and is_denied(parsed):
        _warn_of_log()
        answer_instead(http_response, parsed, {"events": [], "nextForwardToken": "", "nextBackwardToken": ""})


def _warn_of_log() -> None:
    warnings.warn(NOT_READABLE, LogNotReadable, stacklevel=2)  # Python shows equal warnings once


class LogNotReadable(UserWarning):
    """Warns that the caller is not allowed to read a job's log; the program follows the job without the log."""


class AutoMLIsNotQueued(UserWarning):
    """Warns that an AutoML job went to SageMaker directly; its training jobs are not queued."""


def _warn(_jobs: JobLookup, **_: object) -> None:
    warnings.warn(
        "An AutoML job chooses its instances itself, so it bypasses the queue and its budget. To queue a search, "
        "use a tuning job.",
        AutoMLIsNotQueued,
        stacklevel=2,
    )


JOB_HANDLERS: Handlers = {
    "before-parameter-build.sagemaker.CreateTrainingJob": _remember_request,
    "before-call.sagemaker.CreateTrainingJob": _submit,
    "before-parameter-build.sagemaker.DescribeTrainingJob": _find_described,
    "before-call.sagemaker.DescribeTrainingJob": _describe,
    "after-call.sagemaker.DescribeTrainingJob": _correct,
    "before-parameter-build.sagemaker.StopTrainingJob": _find,
    "before-call.sagemaker.StopTrainingJob": stop_in_queue,
    "before-parameter-build.sagemaker.UpdateTrainingJob": _find_updated,
    "after-call.sagemaker.UpdateTrainingJob": _put_arn_back,
    "before-parameter-build.sagemaker.ListTags": _find_tagged,
    "before-call.sagemaker.ListTags": _list_tags,
    "before-call.sagemaker.CreateAutoMLJob": _warn,
    "before-call.sagemaker.CreateAutoMLJobV2": _warn,
    "before-parameter-build.cloudwatch-logs.DescribeLogStreams": _find_listed,
    "before-call.cloudwatch-logs.DescribeLogStreams": _list_streams,
    "before-parameter-build.cloudwatch-logs.GetLogEvents": _find_followed,
    "after-call.cloudwatch-logs.GetLogEvents": _no_lines,
}
