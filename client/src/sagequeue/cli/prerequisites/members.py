"""Finds the members of a Create request of any kind that name something in AWS."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

IMAGES = ("AlgorithmSpecification.TrainingImage", "AppSpecification.ImageUri")
INPUTS = ("InputDataConfig[].DataSource.S3DataSource", "ProcessingInputs[].S3Input")
OUTPUTS = (
    "OutputDataConfig.S3OutputPath",
    "CheckpointConfig.S3Uri",
    "ProcessingOutputConfig.Outputs[].S3Output.S3Uri",
)
ROLES = ("RoleArn",)
INSTANCES = ("ResourceConfig", "HyperParameterTuningResourceConfig", "ProcessingResources.ClusterConfig")
#: The requests for a tuning job's trials are in definitions.
_PLACES = ("", "TrainingJobDefinition.", "TrainingJobDefinitions[].")


def members_at(request: Mapping[str, Any], paths: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yields the members at these paths that the request has, each with its complete path."""
    for place in _PLACES:
        for path in paths:
            yield from _below(request, f"{place}{path}".split("."), "")


def _below(value: Mapping[str, Any], names: Sequence[str], path: str) -> Iterator[tuple[str, Any]]:
    if not names:
        yield path, value
        return
    name, found = names[0].removesuffix("[]"), value.get(names[0].removesuffix("[]"))
    own = f"{path}.{name}" if path else name
    if names[0] == name:
        yield from () if found is None else _below(found, names[1:], own)
        return
    for index, item in enumerate(found or ()):
        yield from _below(item, names[1:], f"{own}[{index}]")
