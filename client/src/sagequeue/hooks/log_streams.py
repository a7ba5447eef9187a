"""Answers calls for a job's log streams: SageMaker names them after attempts, callers use the job's name.

SDK v2 lists `<job name>/` every few seconds while it waits. It gets the streams of all attempts, so it follows the job
across preemptions.
"""

from os.path import commonprefix
from typing import Any

from sagequeue.hooks.handlers import KEY, Answer, Context, Handlers, Params, answered
from sagequeue.hooks.job_lookup import JobLookup
from sagequeue.jobs.attempts import TRAINING_JOBS

# CloudWatch's largest page. SDK v2 asks for one stream per instance, and reads streams on a second page twice.
_PAGE = 50


def _ask_for_attempts(jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    name, slash, rest = str(params.get("logStreamNamePrefix")).partition("/")
    job = jobs.find(name) if slash and params.get("logGroupName") == TRAINING_JOBS else None
    context[KEY] = None
    if job:
        context[KEY] = streams = tuple(f"{attempt['name']}/{rest}" for attempt in job["attempts"])
        beginning = commonprefix(streams)  # noqa: RUF071  # of characters: these are names, not paths
        params.update(logStreamNamePrefix=beginning or name, limit=_PAGE)


def _none_yet(_jobs: JobLookup, context: Context, **_: object) -> Answer | None:
    return answered({"logStreams": []}) if context[KEY] == () else None


def _remove_other_jobs(_jobs: JobLookup, parsed: dict[str, Any], context: Context, **_: object) -> None:
    """Removes other jobs' streams: the common prefix of `train-sq-1/` and `train-sq-2/` also matches `train-sq-x/`."""
    if context[KEY]:
        found = parsed.get("logStreams", [])
        parsed["logStreams"] = [stream for stream in found if stream["logStreamName"].startswith(context[KEY])]


LOG_HANDLERS: Handlers = {
    "before-parameter-build.cloudwatch-logs.DescribeLogStreams": _ask_for_attempts,
    "before-call.cloudwatch-logs.DescribeLogStreams": _none_yet,
    "after-call.cloudwatch-logs.DescribeLogStreams": _remove_other_jobs,
}
