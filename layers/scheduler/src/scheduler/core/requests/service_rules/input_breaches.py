"""Finds request members that break the rules about the program and its input."""

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler.core.requests.service_rules.rule import Breach, Request, missing, repeated, valued
from scheduler.errors.refusals import shown

_SOURCES = ("S3DataSource", "FileSystemDataSource", "DatasetSource")


def image_or_algorithm(request: Request) -> Iterator[Breach]:
    program = request.get("AlgorithmSpecification", {})
    image, algorithm = program.get("TrainingImage"), program.get("AlgorithmName")
    if image and algorithm:
        problem = f"is {shown(algorithm)}, but TrainingImage is {shown(image)}"
        yield Breach("AlgorithmSpecification.AlgorithmName", problem)
    elif not image and not algorithm:
        yield missing("AlgorithmSpecification.TrainingImage")


def registry_outside_vpc(request: Request) -> Iterator[Breach]:
    image = request.get("AlgorithmSpecification", {}).get("TrainingImageConfig", {})
    if image.get("TrainingRepositoryAccessMode") == "Vpc" and "VpcConfig" not in request:
        yield missing("VpcConfig")


def repeated_channels(request: Request) -> Iterator[Breach]:
    names = [channel["ChannelName"] for _, channel in _channels(request)]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield repeated(f"InputDataConfig[{index}].ChannelName", name)


def sources_of_channels(request: Request) -> Iterator[Breach]:
    for path, channel in _channels(request):
        given = [name for name in _SOURCES if name in channel["DataSource"]]
        if len(given) > 1:
            yield Breach(f"{path}.DataSource", f"has {' and '.join(given)}")
        elif not given:
            yield Breach(f"{path}.DataSource", "is empty")


def file_systems_outside_vpc(request: Request) -> Iterator[Breach]:
    for path, channel in _channels(request):
        if "FileSystemDataSource" in channel["DataSource"] and "VpcConfig" not in request:
            yield Breach(f"{path}.DataSource.FileSystemDataSource", "is given without VpcConfig")


def manifests_outside_pipes(request: Request) -> Iterator[Breach]:
    for path, channel in _channels(request):
        source, mode = _s3_source(channel), _mode(request, channel)
        if source.get("S3DataType") == "AugmentedManifestFile" and mode != "Pipe":
            yield Breach(
                f"{path}.DataSource.S3DataSource.S3DataType", f"is 'AugmentedManifestFile' with the mode {shown(mode)}"
            )


def compressed_files(request: Request) -> Iterator[Breach]:
    for path, channel in _channels(request):
        if channel.get("CompressionType", "None") != "None" and _mode(request, channel) == "File":
            yield valued(f"{path}.CompressionType", channel["CompressionType"])


def unknown_groups(request: Request) -> Iterator[Breach]:
    groups = request.get("ResourceConfig", {}).get("InstanceGroups", [])
    known = {group["InstanceGroupName"] for group in groups}
    for path, channel in _channels(request):
        for index, name in enumerate(_s3_source(channel).get("InstanceGroupNames", [])):
            if name not in known:
                yield valued(f"{path}.DataSource.S3DataSource.InstanceGroupNames[{index}]", name)


def channels_without_groups(request: Request) -> Iterator[Breach]:
    sources = [(path, _s3_source(channel)) for path, channel in _channels(request) if _s3_source(channel)]
    if any(source.get("InstanceGroupNames") for _, source in sources):
        for path, source in sources:
            if not source.get("InstanceGroupNames"):
                yield missing(f"{path}.DataSource.S3DataSource.InstanceGroupNames")


def _channels(request: Request) -> list[tuple[str, Mapping[str, Any]]]:
    """Returns each channel with its path."""
    return [(f"InputDataConfig[{index}]", channel) for index, channel in enumerate(request.get("InputDataConfig", []))]


def _s3_source(channel: Mapping[str, Any]) -> Mapping[str, Any]:
    source: Mapping[str, Any] = channel["DataSource"].get("S3DataSource", {})
    return source


def _mode(request: Request, channel: Mapping[str, Any]) -> str | None:
    """Returns the channel's input mode, or that of the whole job if the channel has none."""
    mode: str | None = channel.get("InputMode") or request.get("AlgorithmSpecification", {}).get("TrainingInputMode")
    return mode
