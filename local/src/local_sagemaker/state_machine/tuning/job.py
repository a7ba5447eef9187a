"""Represents a tuning job in SageMaker: request, status, and its trials. A trial is a training job that it launched."""

from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from math import inf
from typing import Any

from local_sagemaker.state_machine.job import OBJECTIVE_HYPERPARAMETER
from local_sagemaker.state_machine.tuning.search_space import Dimension, combinations, dimensions

#: The maximum number of training jobs if a tuning job sets no limit, according to the guide's table of limits.
MOST_TRIALS = 750


class TuningStatus(StrEnum):
    IN_PROGRESS = "InProgress"
    STOPPING = "Stopping"
    COMPLETED = "Completed"
    FAILED = "Failed"
    STOPPED = "Stopped"


TERMINAL = frozenset({TuningStatus.COMPLETED, TuningStatus.FAILED, TuningStatus.STOPPED})


@dataclass(frozen=True, slots=True)
class Objective:
    metric: str
    maximizes: bool

    def is_better(self, value: float, other: float) -> bool:
        return value > other if self.maximizes else value < other


@dataclass(frozen=True, slots=True)
class Trial:
    """One training job of a tuning job, with the values that the strategy chose for it."""

    name: str
    definition: int  # an index of the tuning job's definitions
    tuned: dict[str, str]


@dataclass(slots=True)
class TuningJob:
    request: dict[str, Any]  # as submitted, without Tags
    arn: str
    created_at: float
    modified_at: float
    tags: dict[str, str]
    status: TuningStatus = TuningStatus.IN_PROGRESS
    trials: list[Trial] = field(default_factory=list)
    stopped_early: list[str] = field(default_factory=list)  # the names of trials that the tuning job gave up
    ends_as: TuningStatus | None = None  # the final status after the last trial; None: the job may launch more trials
    failure_reason: str | None = None
    ended_at: float | None = None
    retry_at: float | None = None  # the next launch, after a quota refused one
    converged_at: float | None = None

    @property
    def name(self) -> str:
        return str(self.request["HyperParameterTuningJobName"])

    @property
    def config(self) -> dict[str, Any]:
        return dict(self.request["HyperParameterTuningJobConfig"])

    @property
    def strategy(self) -> str:
        return str(self.config["Strategy"])

    @property
    def is_terminal(self) -> bool:
        return self.status in TERMINAL

    @property
    def parallel(self) -> int:
        return int(self.config["ResourceLimits"]["MaxParallelTrainingJobs"])

    @property
    def most_trials(self) -> int:
        return most_trials(self.request)

    @property
    def runtime_end(self) -> float:
        seconds = self.config["ResourceLimits"].get("MaxRuntimeInSeconds")
        return inf if seconds is None else self.created_at + float(seconds)

    @property
    def parents(self) -> list[str]:
        """The names of the parents of this job's warm start."""
        return parent_names(self.request)

    @property
    def uses_identical_data(self) -> bool:
        kind = self.request.get("WarmStartConfig", {}).get("WarmStartType")
        return bool(kind == "IdenticalDataAndAlgorithm")

    def next_trial_name(self) -> str:
        """Returns a name that begins with the tuning job's name, for example `resnet-007-1f0e9a3c`."""
        number = len(self.trials) + 1
        digest = sha256(f"{self.arn} {self.created_at} {number}".encode()).hexdigest()
        return f"{self.name}-{number:03}-{digest[:8]}"


def definitions(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Lists the training job definitions, each with its TuningObjective and HyperParameterRanges."""
    config = request["HyperParameterTuningJobConfig"]
    if "TrainingJobDefinitions" in request:
        return list(request["TrainingJobDefinitions"])
    shared = {
        "TuningObjective": config.get("HyperParameterTuningJobObjective"),
        "HyperParameterRanges": config.get("ParameterRanges", {}),
    }
    return [{**request["TrainingJobDefinition"], **shared}]


def objective(definition: dict[str, Any]) -> Objective:
    wanted = definition["TuningObjective"]
    return Objective(wanted["MetricName"], wanted["Type"] == "Maximize")


def searched(definition: dict[str, Any]) -> list[Dimension]:
    return dimensions(definition.get("HyperParameterRanges", {}))


def static_hyperparameters(definition: dict[str, Any]) -> dict[str, str]:
    """Returns the hyperparameters that are equal in all trials. The service adds the name of the objective metric."""
    return {
        **definition.get("StaticHyperParameters", {}),
        OBJECTIVE_HYPERPARAMETER: definition["TuningObjective"]["MetricName"],
    }


def most_trials(request: dict[str, Any]) -> int:
    """Returns the maximum number of training jobs. A grid search tries every combination."""
    config = request["HyperParameterTuningJobConfig"]
    if config["Strategy"] == "Grid":
        return int(sum(combinations(searched(definition)) for definition in definitions(request)))
    return int(config["ResourceLimits"].get("MaxNumberOfTrainingJobs", MOST_TRIALS))


def parent_names(request: dict[str, Any]) -> list[str]:
    parents = request.get("WarmStartConfig", {}).get("ParentHyperParameterTuningJobs", [])
    return [parent["HyperParameterTuningJobName"] for parent in parents]
