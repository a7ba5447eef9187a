"""Builds an attempt's Create request from the user's request.

For a training job, only the name, two tags, the stop-notice variables, the keep-alive period, the spot settings, the
subnet and the time limit change. For a tuning job, only the name, two tags, the limits and the warm start change. For a
processing job, only the name and two tags change.
"""

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from types import MappingProxyType
from typing import Any, cast

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.job import Job, JobSpec
from scheduler.core.jobs.work.kind import FORMS, WorkKind
from scheduler.core.requests.instances import instances_of, selected_of
from scheduler.core.requests.request_reading import DEFAULT_MAX_RUNTIME
from scheduler.core.requests.stop_notice.variables import with_variables
from scheduler.core.requests.tuning.continuation import continued

#: The tags that identify the queue's training jobs, and the prefix of keys that users cannot set.
JOB_TAG = "sagequeue:job"
ATTEMPT_TAG = "sagequeue:attempt"
RESERVED_PREFIX = "sagequeue:"
#: SageMaker's limit is 50 (aws-facts 2.30), and the queue adds two.
MAX_USER_TAGS = 48
#: How long SageMaker may omit the tags of a new training job. AWS does not document this time.
TAG_DELAY = timedelta(minutes=5)
#: Hexadecimal digits of the code in the attempt's tag: 128 bits.
_CODE_LENGTH = 32
_KEEP_ALIVE = "KeepAlivePeriodInSeconds"
_NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


def attempt_request(
    request: Mapping[str, object], job: Job, attempt: Attempt, variables: Mapping[str, str] = _NO_VARIABLES
) -> dict[str, object]:
    """Returns the request to send, with the stop-notice variables. Does not modify the user's request.

    Placeholders of unknown models stay: adoption compares such requests with training jobs.
    """
    identity = {FORMS[job.spec.kind].name_member: attempt.name, "Tags": _tags(request, job, attempt)}
    match job.spec.kind:
        case WorkKind.TUNING:
            return {**continued(request, job), **identity}
        case WorkKind.PROCESSING:
            return {**request, **identity}
    request = with_variables(as_changed(request, job), variables)
    return {
        **request,
        **_resources(request, attempt.keep_alive),
        **(_in_one_subnet(request, attempt.subnet) if attempt.subnet else {}),
        **identity,
    }


def as_changed(request: Mapping[str, Any], job: Job) -> Mapping[str, Any]:
    """Returns the request with the changes since its submission: a new time limit, or on-demand instances."""
    request = with_time_limit(request, job.spec)
    return on_demand(request) if job.status.on_demand else request


def with_time_limit(request: Mapping[str, Any], spec: JobSpec) -> Mapping[str, Any]:
    """Returns a training job's request with the time limit in the spec.

    The additional time to wait for spot instances stays the same.
    """
    stopping = request.get("StoppingCondition", {})
    added = spec.max_runtime - stopping.get("MaxRuntimeInSeconds", DEFAULT_MAX_RUNTIME)
    if not added or spec.kind is not WorkKind.TRAINING:
        return request
    changed = {**stopping, "MaxRuntimeInSeconds": spec.max_runtime}
    if "MaxWaitTimeInSeconds" in changed:
        changed["MaxWaitTimeInSeconds"] += added
    return {**request, "StoppingCondition": changed}


def tags_in(request: Mapping[str, Any]) -> dict[str, str]:
    """Returns the tags in a request, or in SageMaker's description of a training job."""
    return {tag["Key"]: tag["Value"] for tag in request["Tags"]}


def queue_tags(job: Job, number: int) -> list[dict[str, str]]:
    """Returns the tags that only the queue can compute for an attempt.

    They contain a code made from the attempt's number and the job's nonce. Each attempt has a different code, because
    anyone with permission to list tags can read the codes of earlier attempts.
    """
    code = hmac.new(job.nonce.encode(), str(number).encode(), sha256).hexdigest()[:_CODE_LENGTH]
    return [{"Key": JOB_TAG, "Value": job.name}, {"Key": ATTEMPT_TAG, "Value": f"{number}-{code}"}]


def was_made_by(description: Mapping[str, Any], request: Mapping[str, Any]) -> bool:
    """Returns whether the described training job has all the request's tags, and the same role, image and instances.

    Members that the request leaves out are not compared: an unreadable request is recognised by its tags alone.
    """
    return tags_in(request).items() <= tags_in(description).items() and _is_as_requested(description, request)


def may_prove_made_by(description: Mapping[str, Any], request: Mapping[str, Any], now: datetime) -> bool:
    """Returns whether the description lacks only tags that SageMaker may list later.

    A later description then decides.
    """
    wanted = tags_in(request)
    contradicts = any(wanted.get(key, value) != value for key, value in tags_in(description).items())
    return may_lack_tags(description, now) and not contradicts and _is_as_requested(description, request)


def may_lack_tags(description: Mapping[str, Any], now: datetime) -> bool:
    """Returns whether the training job is so new that SageMaker may not list its tags yet."""
    return now - created_at(description) < TAG_DELAY


def created_at(description: Mapping[str, Any]) -> datetime:
    moment: datetime = description["CreationTime"]
    return moment.astimezone(UTC)


def on_demand(request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the request for on-demand instances.

    It has no MaxWaitTimeInSeconds, which SageMaker refuses without spot (aws-facts 2.25).
    """
    given = request.get("StoppingCondition", {})
    stopping = {key: value for key, value in given.items() if key != "MaxWaitTimeInSeconds"}
    return {**request, "EnableManagedSpotTraining": False, "StoppingCondition": stopping}


def is_request(body: object) -> bool:
    """Returns whether a stored body has the form of a request. Operators may have edited the record by hand."""
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


def _is_as_requested(description: Mapping[str, Any], request: Mapping[str, Any]) -> bool:
    return (
        request.get("RoleArn", description.get("RoleArn")) == description.get("RoleArn")
        and _has_program(description, request)
        and _has_instances(description, request)
    )


def _has_program(description: Mapping[str, Any], request: Mapping[str, Any]) -> bool:
    """Compares the images or algorithms. SageMaker may describe an algorithm by its ARN instead of its name."""
    described, given = (of.get("AlgorithmSpecification", {}) for of in (description, request))
    algorithms = [str(of.get("AlgorithmName", "")).rpartition("/")[2] for of in (described, given)]
    return described.get("TrainingImage") == given.get("TrainingImage", described.get("TrainingImage")) and (
        "AlgorithmName" not in given or algorithms[0] == algorithms[1]
    )


def _has_instances(description: Mapping[str, Any], request: Mapping[str, Any]) -> bool:
    """Compares the instances. If the request has preferences, SageMaker may have selected one of them."""
    if "ResourceConfig" not in request:
        return True
    described, given = description.get("ResourceConfig", {}), instances_of(request["ResourceConfig"])
    selected = selected_of(described)
    return selected.fits(given) if selected != NOTHING else instances_of(described) == given


def _is_tag(tag: object) -> bool:
    match tag:
        case {"Key": str(), "Value": str()}:
            return True
    return False


def _resources(request: Mapping[str, Any], keep_alive: int | None) -> dict[str, object]:
    """Returns ResourceConfig with the keep-alive seconds decided for this attempt; empty if nothing was decided."""
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
    return [*kept, *queue_tags(job, attempt.number)]
