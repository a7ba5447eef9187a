"""Makes an attempt's CreateTrainingJob request from the user's: name, two tags, keep-alive, spot and subnet change."""

from collections.abc import Mapping
from typing import Any, cast

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job

#: The tags that identify the queue's training jobs, and the prefix of keys that users cannot set.
JOB_TAG = "sagequeue:job"
ATTEMPT_TAG = "sagequeue:attempt"
RESERVED_PREFIX = "sagequeue:"
#: SageMaker's limit (aws-facts 2.30).
MAX_TAGS = 50
_KEEP_ALIVE = "KeepAlivePeriodInSeconds"


def attempt_request(request: Mapping[str, object], job: Job, attempt: Attempt) -> dict[str, object]:
    """Returns the request to send. The user's request is not changed in place."""
    request = on_demand(request) if job.status.on_demand else request
    return {
        **request,
        **_resources(request, attempt.keep_alive),
        **(_in_one_subnet(request, attempt.subnet) if attempt.subnet else {}),
        "TrainingJobName": attempt.name,
        "Tags": _tags(request, job, attempt),
    }


def tags_in(request: Mapping[str, Any]) -> dict[str, str]:
    """Returns the tags in a request, or in SageMaker's description of a training job."""
    return {tag["Key"]: tag["Value"] for tag in request["Tags"]}


def was_made_by(description: Mapping[str, Any], request: Mapping[str, Any]) -> bool:
    """Returns whether the described training job carries every tag of the request."""
    return tags_in(request).items() <= tags_in(description).items()


def on_demand(request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the request without spot. SageMaker refuses MaxWaitTimeInSeconds without spot (aws-facts 2.25)."""
    given = request.get("StoppingCondition", {})
    stopping = {key: value for key, value in given.items() if key != "MaxWaitTimeInSeconds"}
    return {**request, "EnableManagedSpotTraining": False, "StoppingCondition": stopping}


def is_request(body: object) -> bool:
    """Returns whether a stored body has the form of a request: an operator may have repaired the record by hand."""
    match body:
        case {"Tags": tags} if not (isinstance(tags, list) and all(map(_is_tag, tags))):
            return False
        case {"StoppingCondition": stopping} if not isinstance(stopping, Mapping):
            return False
        case {"VpcConfig": network} if not isinstance(network, Mapping):
            return False
        case {"ResourceConfig": resources} if not isinstance(resources, Mapping):
            return False
    return isinstance(body, Mapping)


def _is_tag(tag: object) -> bool:
    match tag:
        case {"Key": str(), "Value": str()}:
            return True
    return False


def _resources(request: Mapping[str, Any], keep_alive: int | None) -> dict[str, object]:
    """Returns ResourceConfig with the seconds that instances are kept, if they were decided for this attempt."""
    if keep_alive is None or "ResourceConfig" not in request:
        return {}
    others = {name: value for name, value in request["ResourceConfig"].items() if name != _KEEP_ALIVE}
    return {"ResourceConfig": others | ({_KEEP_ALIVE: keep_alive} if keep_alive else {})}


def _in_one_subnet(request: Mapping[str, object], subnet: str) -> dict[str, object]:
    network = cast(dict[str, object], request.get("VpcConfig", {}))
    return {"VpcConfig": {**network, "Subnets": [subnet]}}


def _tags(request: Mapping[str, object], job: Job, attempt: Attempt) -> list[dict[str, str]]:
    given = cast(list[dict[str, str]], request.get("Tags", []))
    kept = [tag for tag in given if not tag["Key"].startswith(RESERVED_PREFIX)]
    ours = [{"Key": JOB_TAG, "Value": job.name}, {"Key": ATTEMPT_TAG, "Value": str(attempt.number)}]
    return (kept + ours)[:MAX_TAGS]
