"""sagemaker-ssh-helper finds a job's instances by the job's name: their tag SSHResourceName holds the attempt's.

It makes its clients from boto3's default session: `sagequeue.install()` without a target leads these here.
"""

from typing import Any

from sagequeue.contract.jobs import Job
from sagequeue.hooks.handlers import Handlers
from sagequeue.hooks.job_lookup import JobLookup
from sagequeue.jobs.attempts import last_attempt

_NAME, _ARN = "SSHResourceName", "SSHResourceArn"


def _name_the_job(jobs: JobLookup, parsed: dict[str, Any], **_: object) -> None:
    tags = {tag["Key"]: tag for tag in parsed.get("TagList", [])}
    if _NAME not in tags or ":training-job/" not in tags.get(_ARN, {}).get("Value", ""):
        return
    job = _job_that_runs(jobs, tags[_NAME]["Value"])
    if job:
        tags[_NAME]["Value"], tags[_ARN]["Value"] = job["name"], job["arn"]


def _job_that_runs(jobs: JobLookup, attempt_name: str) -> Job | None:
    """The job whose last attempt this is: the instances of earlier ones are gone, though SSM still lists them."""
    job = jobs.find(_job_name(attempt_name))
    last = last_attempt(job) if job else None
    return job if last and last["name"] == attempt_name else None


def _job_name(attempt_name: str) -> str:
    """Of an attempt called `<job>-<mark>-<number>`. A name that had to be cut is not found: ask for it by real name."""
    return attempt_name.rsplit("-", maxsplit=2)[0]


SSH_HANDLERS: Handlers = {"after-call.ssm.ListTagsForResource": _name_the_job}
