"""Builds the CreateTrainingJob requests of trials from a tuning job's definitions."""

from collections.abc import Iterator
from typing import Any

from local_sagemaker.state_machine.tuning.job import Trial, TuningJob, definitions, static_hyperparameters

# Members of a definition that a training job does not have, or that the code below translates.
_TRANSLATED = frozenset(
    {
        "DefinitionName",
        "TuningObjective",
        "HyperParameterRanges",
        "StaticHyperParameters",
        "HyperParameterTuningResourceConfig",
    }
)


def trial_requests(job: TuningJob, trial: Trial) -> Iterator[dict[str, Any]]:
    """Yields the request of the trial on each of its instance configurations, in the order of preference."""
    return requests(definitions(job.request)[trial.definition], trial.name, trial.tuned)


def requests(definition: dict[str, Any], name: str, tuned: dict[str, str]) -> Iterator[dict[str, Any]]:
    request = {member: value for member, value in definition.items() if member not in _TRANSLATED}
    request |= {"TrainingJobName": name, "HyperParameters": {**static_hyperparameters(definition), **tuned}}
    if "CheckpointConfig" in request:
        request["CheckpointConfig"] = _own_checkpoints(request["CheckpointConfig"], name)
    for resources in resource_configs(definition):
        yield {**request, "ResourceConfig": resources}


def resource_configs(definition: dict[str, Any]) -> list[dict[str, Any]]:
    """Lists the instance configurations in order.

    The service keeps no warm pool for a trial, even if requested.
    """
    config = definition.get("HyperParameterTuningResourceConfig") or definition.get("ResourceConfig", {})
    shared = {
        member: value
        for member, value in config.items()
        if member not in {"InstanceConfigs", "AllocationStrategy", "KeepAlivePeriodInSeconds"}
    }
    return [{**shared, **choice} for choice in config.get("InstanceConfigs", [{}])]


def _own_checkpoints(config: dict[str, Any], name: str) -> dict[str, Any]:
    """Gives each trial its own folder: trials that shared one would overwrite each other's checkpoints."""
    return {**config, "S3Uri": f"{config['S3Uri'].rstrip('/')}/{name}"}
