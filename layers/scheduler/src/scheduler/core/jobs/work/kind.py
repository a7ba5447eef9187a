"""Defines the kinds of work: which SageMaker service runs a job, and the members and limits of the job's requests."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class WorkKind(StrEnum):
    """Selects the SageMaker service that runs a job's attempts."""

    TRAINING = "training"
    TUNING = "tuning"  # a hyperparameter tuning job, which starts training jobs: its trials
    PROCESSING = "processing"  # a processing job, which runs a container and saves no checkpoints


@dataclass(frozen=True, slots=True)
class RequestForm:
    """Describes the Create requests of one kind."""

    operation: str
    name_member: str
    longest_name: int  # characters in the name of an attempt
    digest_length: int  # hexadecimal digits of the digest in a shortened name
    resource: str  # the part of an attempt's ARN that names its kind


#: Names have at most 63 characters (aws-facts 2.29), those of tuning jobs 32, because trials' names begin with them.
FORMS: Mapping[WorkKind, RequestForm] = {
    WorkKind.TRAINING: RequestForm("CreateTrainingJob", "TrainingJobName", 63, 32, "training-job"),
    WorkKind.TUNING: RequestForm(
        "CreateHyperParameterTuningJob", "HyperParameterTuningJobName", 32, 8, "hyper-parameter-tuning-job"
    ),
    WorkKind.PROCESSING: RequestForm("CreateProcessingJob", "ProcessingJobName", 63, 32, "processing-job"),
}
#: Members that only this kind's requests have.
_MEMBERS: Mapping[WorkKind, frozenset[str]] = {
    WorkKind.TUNING: frozenset(
        {
            "HyperParameterTuningJobName",
            "HyperParameterTuningJobConfig",
            "TrainingJobDefinition",
            "TrainingJobDefinitions",
        }
    ),
    WorkKind.PROCESSING: frozenset({"ProcessingJobName", "ProcessingResources", "AppSpecification"}),
}


def kind_of(request: object) -> WorkKind:
    """Returns the kind whose members the request has: training if it has none of the other kinds' members."""
    if not isinstance(request, Mapping):
        return WorkKind.TRAINING
    kinds = (kind for kind, members in _MEMBERS.items() if not members.isdisjoint(request))
    return next(kinds, WorkKind.TRAINING)


def name_in(request: Mapping[str, Any]) -> Any:
    """Returns the name that a request gives its job; None if it is missing."""
    return request.get(FORMS[kind_of(request)].name_member)
