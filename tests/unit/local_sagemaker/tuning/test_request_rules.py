from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.requests import a_definition, a_tuning_request
from local_sagemaker.simulation import Simulation
from unit.local_sagemaker.situations import PATIENT

GRID = {"CategoricalParameterRanges": [{"Name": "lr", "Values": ["1", "2"]}]}
CHOICES = [{"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1}]


def create(request: dict[str, Any]) -> None:
    Simulation(behaviour=PATIENT).client().create_hyper_parameter_tuning_job(**request)


def ranged(member: str, **bounds: str) -> dict[str, Any]:
    return {"ParameterRanges": {member: [{"Name": "lr", **bounds}]}}


def without(request: dict[str, Any], *members: str) -> dict[str, Any]:
    return {name: value for name, value in request.items() if name not in members}


def several(**changes: Any) -> dict[str, Any]:
    request = a_tuning_request()
    config = request["HyperParameterTuningJobConfig"]
    part = {
        "TuningObjective": config["HyperParameterTuningJobObjective"],
        "HyperParameterRanges": config["ParameterRanges"],
    }
    shared = without(config, "HyperParameterTuningJobObjective", "ParameterRanges")
    definitions = [a_definition(DefinitionName=name, **part) for name in "ab"]
    return without(request, "TrainingJobDefinition") | {
        "HyperParameterTuningJobConfig": shared | changes,
        "TrainingJobDefinitions": definitions,
    }


CASES: dict[str, tuple[dict[str, Any], str]] = {
    "a bad name": (
        a_tuning_request("-x"),
        "1 validation error detected: Value '-x' at 'hyperParameterTuningJobName' failed to satisfy constraint: Member "
        "must satisfy regular expression pattern: [a-zA-Z0-9](-*[a-zA-Z0-9]){0,31}",
    ),
    "no definition": (
        without(a_tuning_request(), "TrainingJobDefinition"),
        "Exactly one of TrainingJobDefinition and TrainingJobDefinitions must be provided.",
    ),
    "no objective": (
        a_tuning_request()
        | {
            "HyperParameterTuningJobConfig": without(
                a_tuning_request()["HyperParameterTuningJobConfig"], "HyperParameterTuningJobObjective"
            )
        },
        "HyperParameterTuningJobObjective must be provided with TrainingJobDefinition.",
    ),
    "an undefined metric": (
        a_tuning_request(config={"HyperParameterTuningJobObjective": {"Type": "Minimize", "MetricName": "loss"}}),
        "A metric is required for this hyperparameter tuning job objective. Provide a metric in the metric "
        "definitions.",
    ),
    "too few combinations": (
        a_tuning_request(config=ranged("IntegerParameterRanges", MinValue="1", MaxValue="3")),
        "You don't have enough combinations of hyperparameter ranges. The total number of hyperparameter combinations "
        "for the provided ranges [3.0] must be equal or greater than the value of MaxNumberOfJobs, [4]. Provide "
        "additional ranges.",
    ),
    "bounds in the wrong order": (
        a_tuning_request(config=ranged("ContinuousParameterRanges", MinValue="2", MaxValue="1")),
        "Invalid range of hyperparameter lr: MinValue must be less than or equal to MaxValue, got [2, 1].",
    ),
    "a bound that is no number": (
        a_tuning_request(config=ranged("IntegerParameterRanges", MinValue="a", MaxValue="9")),
        "Invalid range of hyperparameter lr: MinValue and MaxValue must be of type int, got [a, 9].",
    ),
    "a logarithm of zero": (
        a_tuning_request(
            config=ranged("ContinuousParameterRanges", MinValue="0", MaxValue="1", ScalingType="Logarithmic")
        ),
        "Invalid range of hyperparameter lr: Logarithmic scaling needs values greater than 0, got [0, 1].",
    ),
    "a reverse logarithm of one": (
        a_tuning_request(
            config=ranged("ContinuousParameterRanges", MinValue="0", MaxValue="1", ScalingType="ReverseLogarithmic")
        ),
        "Invalid range of hyperparameter lr: ReverseLogarithmic scaling needs values from 0 to less than 1, "
        "got [0, 1].",
    ),
    "a hyperparameter that is static, too": (
        a_tuning_request(definition={"StaticHyperParameters": {"lr": "1"}}),
        "Hyperparameter lr must be given once, either as static or with one range.",
    ),
    "no ranges": (
        a_tuning_request(config={"ParameterRanges": {}}),
        "At least one hyperparameter range must be provided.",
    ),
    "a grid of numbers": (
        a_tuning_request(config={"Strategy": "Grid"}),
        "Only categorical parameters are supported when Strategy is Grid.",
    ),
    "a part of a grid": (
        a_tuning_request(config={"Strategy": "Grid", "ParameterRanges": GRID}),
        "MaxNumberOfTrainingJobs must equal the number of categorical combinations, 2, when Strategy is Grid.",
    ),
    "hyperband without a resource": (
        a_tuning_request(config={"Strategy": "Hyperband"}, definition={"StaticHyperParameters": {}}),
        "MaxResource parameter is not provided and could not be inferred from provided static hyperparameters of "
        "TrainingJobDefinition.",
    ),
    "hyperband with early stopping": (
        a_tuning_request(config={"Strategy": "Hyperband", "TrainingJobEarlyStoppingType": "Auto"}),
        "TrainingJobEarlyStoppingType must be Off when Strategy is Hyperband.",
    ),
    "settings of another strategy": (
        a_tuning_request(config={"StrategyConfig": {"HyperbandStrategyConfig": {"MaxResource": 3}}}),
        "StrategyConfig is supported only if Strategy is Hyperband.",
    ),
    "hints without autotune": (
        a_tuning_request(config={"ParameterRanges": {"AutoParameters": [{"Name": "lr", "ValueHint": "1"}]}}),
        "AutoParameters can be provided only if Autotune is enabled.",
    ),
    "a long run": (
        a_tuning_request(config={"ResourceLimits": {"MaxParallelTrainingJobs": 1, "MaxRuntimeInSeconds": 2_592_001}}),
        "Invalid MaxRuntimeInSeconds. It must be less than or equal to 2592000",
    ),
    "no resources": (
        a_tuning_request() | {"TrainingJobDefinition": without(a_definition(), "ResourceConfig")},
        "Exactly one of ResourceConfig and HyperParameterTuningResourceConfig must be provided.",
    ),
    "two kinds of resources": (
        a_tuning_request(definition={"HyperParameterTuningResourceConfig": {"InstanceConfigs": CHOICES}}),
        "Exactly one of ResourceConfig and HyperParameterTuningResourceConfig must be provided.",
    ),
    "an invalid training job": (
        a_tuning_request(definition={"EnableManagedSpotTraining": True}),
        "Invalid MaxWaitTimeInSeconds. It must be present and be greater than or equal to MaxRuntimeInSeconds",
    ),
    "objectives in two places": (
        several(HyperParameterTuningJobObjective={"Type": "Minimize", "MetricName": "accuracy"}),
        "HyperParameterTuningJobObjective and ParameterRanges cannot be provided with TrainingJobDefinitions. Provide "
        "TuningObjective and HyperParameterRanges in each definition.",
    ),
    "early stopping of several algorithms": (
        several(TrainingJobEarlyStoppingType="Auto"),
        "Early stopping is available only when a single algorithm is tuned.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_an_invalid_request_is_refused_with_its_reason(case: str) -> None:
    request, reason = CASES[case]
    with pytest.raises(ClientError) as refused:
        create(request)
    assert refused.value.response["Error"] == {"Code": "ValidationException", "Message": reason}


VALID: dict[str, dict[str, Any]] = {
    "several definitions": several(),
    "a grid without a number": a_tuning_request(
        config={"Strategy": "Grid", "ParameterRanges": GRID, "ResourceLimits": {"MaxParallelTrainingJobs": 1}}
    ),
    "hyperband with epochs": a_tuning_request(config={"Strategy": "Hyperband"}),
    "autotune": a_tuning_request(
        config={"ParameterRanges": {"AutoParameters": [{"Name": "lr", "ValueHint": "0.1"}]}},
        Autotune={"Mode": "Enabled"},
    ),
}


@pytest.mark.parametrize("case", VALID)
def test_a_valid_request_is_accepted(case: str) -> None:
    create(VALID[case])


def test_a_name_is_taken_whatever_its_case() -> None:
    client = Simulation(behaviour=PATIENT).client()
    client.create_hyper_parameter_tuning_job(**a_tuning_request("Search"))
    with pytest.raises(ClientError) as refused:
        client.create_hyper_parameter_tuning_job(**a_tuning_request("search"))
    assert refused.value.response["Error"] == {
        "Code": "ResourceInUse",
        "Message": "A hyperparameter tuning job with the name, search, already exists. Choose a different name.",
    }
