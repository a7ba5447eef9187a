"""Checks the rules of CreateTrainingJob for the program and its input. The API's model does not express them."""

from collections.abc import Mapping
from typing import Any

from local_sagemaker.errors import invalid


def check_program(request: Mapping[str, Any]) -> None:
    program = request.get("AlgorithmSpecification")
    if program is None:
        if "ServerlessJobConfig" not in request:
            raise invalid("AlgorithmSpecification is required unless ServerlessJobConfig is given.")
        return
    if bool(program.get("TrainingImage")) == bool(program.get("AlgorithmName")):
        raise invalid("You must specify either AlgorithmName or TrainingImage in AlgorithmSpecification, not both.")
    access = program.get("TrainingImageConfig", {}).get("TrainingRepositoryAccessMode")
    if access == "Vpc" and "VpcConfig" not in request:
        raise invalid("VpcConfig must be provided when TrainingRepositoryAccessMode is set to Vpc.")


def check_input(request: Mapping[str, Any]) -> None:
    channels = request.get("InputDataConfig", [])
    if len({channel["ChannelName"] for channel in channels}) < len(channels):
        raise invalid("Channel names must be unique.")
    default_mode = request.get("AlgorithmSpecification", {}).get("TrainingInputMode")
    for channel in channels:
        _check_source(channel, has_network="VpcConfig" in request)
        _check_mode(channel, channel.get("InputMode", default_mode))
    groups = request.get("ResourceConfig", {}).get("InstanceGroups", [])
    _check_groups(channels, {group["InstanceGroupName"] for group in groups})


def _check_source(channel: Mapping[str, Any], *, has_network: bool) -> None:
    name, source = channel["ChannelName"], channel["DataSource"]
    if len(source.keys() & {"S3DataSource", "FileSystemDataSource", "DatasetSource"}) != 1:
        raise invalid(f"Exactly one data source must be specified for channel {name}.")
    if "FileSystemDataSource" in source and not has_network:
        raise invalid(f"VpcConfig must be provided for the file system data source of channel {name}.")


def _check_mode(channel: Mapping[str, Any], mode: str | None) -> None:
    name, compression = channel["ChannelName"], channel.get("CompressionType", "None")
    if mode == "File" and compression != "None":
        raise invalid(
            f"Invalid compression type for channel {name}: File mode only supports NONE, got {compression} instead"
        )
    kind = channel["DataSource"].get("S3DataSource", {}).get("S3DataType")
    if kind == "AugmentedManifestFile" and mode != "Pipe":
        raise invalid(f"Invalid S3 data type for channel {name}: AugmentedManifestFile only supports Pipe mode")


def _check_groups(channels: list[dict[str, Any]], known: set[str]) -> None:
    assigned: dict[str, list[str]] = {
        channel["ChannelName"]: channel["DataSource"]["S3DataSource"].get("InstanceGroupNames", [])
        for channel in channels
        if "S3DataSource" in channel["DataSource"]
    }
    for name, groups in assigned.items():
        if unknown := sorted(set(groups) - known):
            raise invalid(f"Unknown instance groups for channel {name}: {', '.join(unknown)}")
    having = [name for name, groups in assigned.items() if groups]
    lacking = [name for name, groups in assigned.items() if not groups]
    if having and lacking:
        raise invalid(
            f"Some channels have assigned instance groups: [{', '.join(having)}] "
            f"while others not: [{', '.join(lacking)}]"
        )
