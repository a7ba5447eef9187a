"""The CreateTrainingJob request of an attempt: the user's own, but for the name and two tags.

A job that gave up spot asks for instances on demand.
"""

from collections.abc import Mapping
from typing import cast

from scheduler.domain.attempt import Attempt
from scheduler.domain.job import Job
from scheduler.policy.recovery.leaving_spot import on_demand

#: The tag by which an attempt is known as ours, and the prefix of keys that users cannot set.
JOB_TAG = "sagequeue:job"
ATTEMPT_TAG = "sagequeue:attempt"
RESERVED_PREFIX = "sagequeue:"
#: SageMaker's limit (aws-facts 2.30).
MAX_TAGS = 50


def attempt_request(request: Mapping[str, object], job: Job, attempt: Attempt) -> dict[str, object]:
    """The request to send. Nothing of the user's is changed in place."""
    return {
        **(on_demand(request) if job.on_demand else request),
        "TrainingJobName": attempt.name,
        "Tags": _tags(request, job, attempt),
    }


def _tags(request: Mapping[str, object], job: Job, attempt: Attempt) -> list[dict[str, str]]:
    given = cast(list[dict[str, str]], request.get("Tags", []))
    kept = [tag for tag in given if not tag["Key"].startswith(RESERVED_PREFIX)]
    ours = [{"Key": JOB_TAG, "Value": job.name}, {"Key": ATTEMPT_TAG, "Value": str(attempt.number)}]
    return (kept + ours)[:MAX_TAGS]
