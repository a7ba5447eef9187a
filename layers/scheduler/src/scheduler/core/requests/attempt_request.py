"""The CreateTrainingJob request of an attempt: the user's own, but for the name, two tags and how long a pool is kept.

A job that gave up spot asks for instances on demand; one that is kept together names one of its subnets.
"""

from collections.abc import Mapping
from typing import Any, cast

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job

#: The tag by which an attempt is known as ours, and the prefix of keys that users cannot set.
JOB_TAG = "sagequeue:job"
ATTEMPT_TAG = "sagequeue:attempt"
RESERVED_PREFIX = "sagequeue:"
#: SageMaker's limit (aws-facts 2.30).
MAX_TAGS = 50
_KEEP_ALIVE = "KeepAlivePeriodInSeconds"


def attempt_request(request: Mapping[str, object], job: Job, attempt: Attempt) -> dict[str, object]:
    """The request to send. Nothing of the user's is changed in place."""
    request = on_demand(request) if job.on_demand else request
    return {
        **request,
        **_resources(request, attempt.keep_alive),
        **(_in_one_subnet(request, attempt.subnet) if attempt.subnet else {}),
        "TrainingJobName": attempt.name,
        "Tags": _tags(request, job, attempt),
    }


def on_demand(request: Mapping[str, Any]) -> dict[str, Any]:
    """The same request without spot. MaxWaitTimeInSeconds is refused without it (aws-facts 2.25)."""
    given = request.get("StoppingCondition", {})
    stopping = {key: value for key, value in given.items() if key != "MaxWaitTimeInSeconds"}
    return {**request, "EnableManagedSpotTraining": False, "StoppingCondition": stopping}


def is_request(body: object) -> bool:
    """Whether a stored body has the form that requests of attempts are made from: somebody may have repaired it."""
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
    """With the time for which its instances are kept, where that was decided for this attempt."""
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
