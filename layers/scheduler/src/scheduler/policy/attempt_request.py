"""The CreateTrainingJob request of an attempt: the user's own, but for the name, one tag and the warm pool."""

from collections.abc import Mapping
from typing import cast

#: The tag by which an attempt is known as ours, and the prefix of keys that users cannot set.
JOB_TAG = "sagequeue:job"
RESERVED_PREFIX = "sagequeue:"
#: SageMaker's limit (aws-facts 2.30).
MAX_TAGS = 50


def attempt_request(request: Mapping[str, object], job_name: str, attempt_name: str) -> dict[str, object]:
    """The request to send. Nothing of the user's is changed in place."""
    return {
        **request,
        "TrainingJobName": attempt_name,
        "Tags": _tags(request, job_name),
        "ResourceConfig": _without_keep_alive(request),
    }


def _tags(request: Mapping[str, object], job_name: str) -> list[dict[str, str]]:
    given = cast(list[dict[str, str]], request.get("Tags", []))
    kept = [tag for tag in given if not tag["Key"].startswith(RESERVED_PREFIX)]
    if len(kept) == MAX_TAGS:
        return kept
    return [*kept, {"Key": JOB_TAG, "Value": job_name}]


def _without_keep_alive(request: Mapping[str, object]) -> dict[str, object]:
    # A warm pool outlives its job, preempted or not, and would hold budget that nobody uses (aws-facts 2.52, 2.55).
    resources = cast(dict[str, object], request["ResourceConfig"])
    return {key: value for key, value in resources.items() if key != "KeepAlivePeriodInSeconds"}
