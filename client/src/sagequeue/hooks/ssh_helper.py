"""Lets sagemaker-ssh-helper find a job's instances by the job's name: their tag SSHResourceName has the attempt's name.

The helper uses boto3's default session, so `sagequeue.install()` without a target reaches its clients.
"""

from typing import Any

from sagequeue.contract.jobs import Job
from sagequeue.hooks.handlers import Handlers, JobLookup
from sagequeue.jobs.description import last_attempt

_NAME, _ARN = "SSHResourceName", "SSHResourceArn"


def _name_the_job(jobs: JobLookup, parsed: dict[str, Any], **_: object) -> None:
    tags = {tag["Key"]: tag for tag in parsed.get("TagList", [])}
    if _NAME not in tags or ":training-job/" not in tags.get(_ARN, {}).get("Value", ""):
        return
    job = _running_job(jobs, tags[_NAME]["Value"])
    if job:
        tags[_NAME]["Value"], tags[_ARN]["Value"] = job["name"], job["arn"]


def _running_job(jobs: JobLookup, attempt_name: str) -> Job | None:
    """Returns the job if this is its last attempt. SSM still lists instances of earlier attempts, which are gone."""
    # An attempt's name is `<job>-<mark>-<number>`. If the attempt's name truncates the job's name, no job is found.
    job = jobs.find(attempt_name.rsplit("-", maxsplit=2)[0])
    last = last_attempt(job) if job else None
    return job if last and last["name"] == attempt_name else None


SSH_HANDLERS: Handlers = {"after-call.ssm.ListTagsForResource": _name_the_job}
