"""Checks rules of CreateHyperParameterTuningJob that the API's model does not express.

The texts are SageMaker's own where known (docs/contribute/emulator-tuning.md lists them), and the emulator's otherwise.
"""

from typing import Any

from local_sagemaker.api import request_rules as training_rules
from local_sagemaker.api.tuning.range_rules import check_ranges
from local_sagemaker.errors import invalid
from local_sagemaker.state_machine.tuning.early_stopping import max_resource
from local_sagemaker.state_machine.tuning.job import definitions
from local_sagemaker.state_machine.tuning.trial_request import requests

_SCRATCH_NAME = "trial"
_LONGEST_SECONDS = 30 * 86400
_MOST_METRICS = 20


def check_create(request: dict[str, Any], longest_keep_alive: int) -> None:
    _check_definitions(request)
    _check_limits(request)
    _check_strategy(request)
    for definition in definitions(request):
        _check_objective(definition)
        check_ranges(request, definition)
        _check_training_job(definition, longest_keep_alive)
    training_rules.check_tags(request.get("Tags", []))


def _check_definitions(request: dict[str, Any]) -> None:
    """Checks the definitions. A single definition has its objective and ranges in the configuration; several each
    contain their own.
    """
    config, several = request["HyperParameterTuningJobConfig"], request.get("TrainingJobDefinitions")
    if (several is None) == ("TrainingJobDefinition" not in request):
        raise invalid("Exactly one of TrainingJobDefinition and TrainingJobDefinitions must be provided.")
    if several is None:
        if "HyperParameterTuningJobObjective" not in config:
            raise invalid("HyperParameterTuningJobObjective must be provided with TrainingJobDefinition.")
        return
    if {"HyperParameterTuningJobObjective", "ParameterRanges"} & config.keys():
        raise invalid(
            "HyperParameterTuningJobObjective and ParameterRanges cannot be provided with TrainingJobDefinitions. "
            "Provide TuningObjective and HyperParameterRanges in each definition."
        )
    for definition in several:
        for member in ("DefinitionName", "TuningObjective", "HyperParameterRanges"):
            if member not in definition:
                raise invalid(f"{member} must be provided in each of TrainingJobDefinitions.")
    if len({definition["DefinitionName"] for definition in several}) < len(several):
        raise invalid("DefinitionName must be unique within TrainingJobDefinitions.")
    if config.get("TrainingJobEarlyStoppingType", "Off") != "Off":
        raise invalid("Early stopping is available only when a single algorithm is tuned.")


def _check_limits(request: dict[str, Any]) -> None:
    config = request["HyperParameterTuningJobConfig"]
    limits = config["ResourceLimits"]
    if limits.get("MaxRuntimeInSeconds", 0) > _LONGEST_SECONDS:
        raise invalid(f"Invalid MaxRuntimeInSeconds. It must be less than or equal to {_LONGEST_SECONDS}")
    is_autotuned = request.get("Autotune", {}).get("Mode") == "Enabled"
    uses_hints = any(definition["HyperParameterRanges"].get("AutoParameters") for definition in definitions(request))
    if uses_hints and not is_autotuned:
        raise invalid("AutoParameters can be provided only if Autotune is enabled.")


def _check_strategy(request: dict[str, Any]) -> None:
    config = request["HyperParameterTuningJobConfig"]
    if config["Strategy"] != "Hyperband":
        if "StrategyConfig" in config:
            raise invalid("StrategyConfig is supported only if Strategy is Hyperband.")
        return
    if config.get("TrainingJobEarlyStoppingType", "Off") != "Off":
        raise invalid("TrainingJobEarlyStoppingType must be Off when Strategy is Hyperband.")
    for definition in definitions(request):
        if max_resource(config, definition.get("StaticHyperParameters", {})) is None:
            raise invalid(
                "MaxResource parameter is not provided and could not be inferred from provided static "
                "hyperparameters of TrainingJobDefinition."
            )


def _check_objective(definition: dict[str, Any]) -> None:
    algorithm = definition["AlgorithmSpecification"]
    metrics = algorithm.get("MetricDefinitions", [])
    if len(metrics) > _MOST_METRICS:
        raise invalid(f"A hyperparameter tuning job can have at most {_MOST_METRICS} metric definitions.")
    if definition["TuningObjective"]["MetricName"] not in {metric["Name"] for metric in metrics}:
        raise invalid(
            "A metric is required for this hyperparameter tuning job objective. Provide a metric in the metric "
            "definitions."
        )


def _check_training_job(definition: dict[str, Any], longest_keep_alive: int) -> None:
    """Checks the definition as a request for a training job, on each of its instance configurations."""
    if ("ResourceConfig" in definition) == ("HyperParameterTuningResourceConfig" in definition):
        raise invalid("Exactly one of ResourceConfig and HyperParameterTuningResourceConfig must be provided.")
    config = definition.get("HyperParameterTuningResourceConfig", {})
    if "InstanceConfigs" in config and {"InstanceType", "InstanceCount", "VolumeSizeInGB"} & config.keys():
        raise invalid("InstanceType, InstanceCount and VolumeSizeInGB cannot be provided with InstanceConfigs.")
    for request in requests(definition, _SCRATCH_NAME, tuned={}):
        training_rules.check_create(request, longest_keep_alive)
