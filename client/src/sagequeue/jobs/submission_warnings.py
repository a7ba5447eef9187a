"""Warns programs about repeated submissions, the queue's own warnings, and replaced code in S3.

The SDKs derive the S3 path of a job's code from its name, so a later upload may replace the code of a waiting job. The
queue has no permission to read its users' buckets. Therefore a client that submits a job reads the ETags of the code
with the caller's own credentials, and sends a digest of them as the option `source_etag`. Clients that wait for the job
compare the digest. Callers without permission to list the bucket get no warning.
"""

import hashlib
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.contract.jobs import FINISHED, Job, JobOptions, TrainingRequest
from sagequeue.jobs.description import moment

# A submission does not wait for a bucket that does not answer.
_HASTY = Config(connect_timeout=2, read_timeout=5, retries={"total_max_attempts": 1})
_S3_URI = re.compile(r"s3://(?P<bucket>[^/]+)/*(?P<prefix>.*)", re.DOTALL)


class SubmissionWarning(UserWarning):
    """Warns about a submission that the queue has accepted."""


@dataclass(frozen=True, slots=True)
class Source:
    """The code of a job in S3: an archive (SDK v2), or a folder (SDK v3)."""

    etag: str  # a digest of the ETags of the first 1,000 files
    changed_at: datetime


def warn_of(session: boto3.Session, job: Job, request: TrainingRequest) -> None:
    """Issues the SubmissionWarnings about a job that the queue has accepted."""
    for text in texts_of(job):
        warnings.warn(text, SubmissionWarning, stacklevel=3)
    if not job.get("is_new", True):  # an SDK may have uploaded other code just before
        warn_of_source(session, {**job, "request": request})


def warn_of_source(session: boto3.Session, job: Job) -> None:
    """Issues a SubmissionWarning if the job's code in S3 was replaced."""
    if text := replaced_since_submission(session, job):
        warnings.warn(text, SubmissionWarning, stacklevel=3)


def texts_of(job: Job) -> Iterator[str]:
    if already := already_submitted(job):
        yield already
    for warning in job["warnings"]:
        yield f"{job['name']}: {warning['message']}. {warning['remedy']}"


def already_submitted(job: Job) -> str | None:
    """Returns the warning for a job that was already in the queue, or None for a new job."""
    if job.get("is_new", True):
        return None
    since = f"{moment(job['submitted_at']):%Y-%m-%d %H:%M:%S}"
    return f"{job['name']} was already submitted at {since}; no new job was created. For a new job, use another name."


def etag_of(session: boto3.Session, request: TrainingRequest) -> str | None:
    """Returns the ETag of the request's code; None if the code is not in S3, or the caller cannot read it."""
    source = _source_of(session, request)
    return source.etag if source else None


def with_source(
    session: boto3.Session, request: TrainingRequest, options: JobOptions | None = None
) -> JobOptions | None:
    """Returns the options with the ETag of the request's code, if that can be read."""
    etag = etag_of(session, request)
    return {**(options or {}), "source_etag": etag} if etag else options


def replaced_since_submission(session: boto3.Session, job: Job) -> str | None:
    """Returns the warning if the job's code was replaced, and an attempt has started or may start with the new code."""
    submitted = job["options"].get("source_etag")
    source = _source_of(session, job.get("request", {})) if submitted else None
    if source is None or source.etag == submitted:
        return None
    later = [attempt["name"] for attempt in job["attempts"] if moment(attempt["reserved_at"]) >= source.changed_at]
    if job["state"] in FINISHED and not later:
        return None
    runs = f"{', '.join(later)} started with the new code." if later else "Later attempts run the new code."
    changed = f"{source.changed_at.astimezone():%Y-%m-%d %H:%M:%S}"
    return f"The code of {job['name']} was replaced in S3 at {changed}, after its submission. {runs}"


def _source_of(session: boto3.Session, request: Mapping[str, Any]) -> Source | None:
    place = _S3_URI.fullmatch(_uri_of_code(request))
    if place is None:
        return None
    try:
        s3 = session.client("s3", config=_HASTY)
        files = s3.list_objects_v2(Bucket=place["bucket"], Prefix=place["prefix"]).get("Contents", [])
    except (BotoCoreError, ClientError):
        return None
    if not files:
        return None
    listing = "\n".join(f"{file['Key']} {file['ETag']}" for file in files)
    return Source(hashlib.sha256(listing.encode()).hexdigest(), max(file["LastModified"] for file in files))


def _uri_of_code(request: Mapping[str, Any]) -> str:
    """Returns the URI of SDK v2's archive, from its quoted hyperparameter, or of v3's folder; empty if it has neither.

    In a tuning job, the definition of its training jobs has these members.
    """
    definition = request.get("TrainingJobDefinition", request)
    for member in ("HyperParameters", "StaticHyperParameters"):
        if archive := _text_at(definition, member, "sagemaker_submit_directory"):
            return archive.strip('"')
    channels = _value_at(definition, "InputDataConfig")
    for channel in channels if isinstance(channels, list | tuple) else ():
        if _value_at(channel, "ChannelName") == "code":
            return _text_at(channel, "DataSource", "S3DataSource", "S3Uri")
    return ""


def _text_at(value: object, *names: str) -> str:
    found = _value_at(value, *names)
    return found if isinstance(found, str) else ""


def _value_at(value: object, *names: str) -> object:
    """Returns the member at this path, if it has one. Only the queue checks the structure of a request."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
