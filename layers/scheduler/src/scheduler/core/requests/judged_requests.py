"""Converts requests of every kind to members of CreateTrainingJob, the only members that operators' rules know."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scheduler.core.jobs.work.kind import WorkKind, kind_of, name_in
from scheduler.core.requests.processing.reading import outputs_of
from scheduler.core.requests.request_reading import CLUSTER
from scheduler.core.requests.tuning.definitions import child_requests
from scheduler.core.requests.tuning.reading import limits_of, widened

_NETWORK = ("EnableNetworkIsolation", "EnableInterContainerTrafficEncryption", "VpcConfig")
_KEY, _OUTPUT = "OutputDataConfig.KmsKeyId", "OutputDataConfig.S3OutputPath"
#: Members of CreateTrainingJob with another place in CreateProcessingJob.
_OF_PROCESSING = {
    "ResourceConfig": CLUSTER,
    "AlgorithmSpecification.TrainingImage": "AppSpecification.ImageUri",
    _KEY: "ProcessingOutputConfig.KmsKeyId",
    **{member: f"NetworkConfig.{member}" for member in _NETWORK},
}


@dataclass(frozen=True, slots=True)
class JudgedRequest:
    """A request, or a part of one, in the form of CreateTrainingJob."""

    request: Mapping[str, Any]
    path: str = ""  # the part's path
    places: Mapping[str, str] = field(default_factory=dict)  # paths of members that the user's request has elsewhere

    def field_of(self, member: str) -> str:
        """Returns the path, in the user's request, of a member such as `ResourceConfig.InstanceCount`."""
        for known, own in self.places.items():
            if member == known or member.startswith((f"{known}.", f"{known}[")):
                return own + member.removeprefix(known)
        return self.path + member


def judged_requests(request: Mapping[str, Any]) -> tuple[JudgedRequest, ...]:
    """Returns the training requests that rules check, for a job of any kind.

    A tuning job's requests have the instances of all its parallel trials. A processing job has a request per output.
    """
    match kind_of(request):
        case WorkKind.TRAINING:
            return (JudgedRequest(request),)
        case WorkKind.TUNING:
            parallel = limits_of(request, continues=False).parallel
            children = child_requests(request)
            return tuple(JudgedRequest(widened(child.request, parallel), child.path) for child in children)
        case WorkKind.PROCESSING:
            return tuple(_of_each_output(request))


def _of_each_output(request: Mapping[str, Any]) -> Iterator[JudgedRequest]:
    network = request.get("NetworkConfig", {})
    shown = {name: request[name] for name in ("RoleArn", "Tags", "StoppingCondition", "Environment") if name in request}
    shown |= {name: network[name] for name in _NETWORK if name in network}
    shown |= {
        "TrainingJobName": name_in(request),
        "ResourceConfig": request["ProcessingResources"]["ClusterConfig"],
        "AlgorithmSpecification": {"TrainingImage": request["AppSpecification"]["ImageUri"]},
    }
    config = request.get("ProcessingOutputConfig", {})
    key = {"KmsKeyId": config["KmsKeyId"]} if "KmsKeyId" in config else {}
    outputs = [*outputs_of(request)]
    for path, uri in outputs:
        judged = {**shown, "OutputDataConfig": {"S3OutputPath": uri, **key}}
        yield JudgedRequest(judged, places={**_OF_PROCESSING, _OUTPUT: path})
    if not outputs:
        yield JudgedRequest({**shown, "OutputDataConfig": key}, places=_OF_PROCESSING)
