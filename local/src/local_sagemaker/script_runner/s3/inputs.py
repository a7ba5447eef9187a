"""Brings a job's code and data channels to its hosts."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_sagemaker.script_runner.failure import WorkFailed
from local_sagemaker.script_runner.host.cluster import Node
from local_sagemaker.script_runner.host.sandbox import Sandbox
from local_sagemaker.script_runner.s3.driver_scripts import DRIVER_CHANNELS, relocated
from local_sagemaker.script_runner.s3.tree import download, files, objects

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def bring_channels(s3: S3Client, request: dict[str, Any], node: Node, cluster: list[Node], sandbox: Sandbox) -> None:
    for channel in request.get("InputDataConfig", []):
        source = channel["DataSource"].get("S3DataSource", {})
        if source.get("S3DataType") != "S3Prefix":
            raise WorkFailed(f"Channel {channel['ChannelName']!r}: local_sagemaker reads inputs of type S3Prefix only")
        groups = source.get("InstanceGroupNames")
        if groups is None or node.group in groups:
            receivers = [other for other in cluster if groups is None or other.group in groups]
            _bring(s3, channel["ChannelName"], source, receivers.index(node), len(receivers), sandbox)


def bring_code(s3: S3Client, archive: str, sandbox: Sandbox) -> None:
    """Unpacks the SDK's source archive, which is in S3 or, with network isolation, in a channel."""
    path = sandbox.place(archive)
    if archive.startswith("s3://"):
        path = sandbox.input / "sourcedir.tar.gz"
        found = [(location, path.name) for location, relative in objects(s3, archive) if not relative.count("/")]
        if not found:
            raise WorkFailed(f'Data download failed:No source archive found at "{archive}"')
        download(s3, found[:1], path.parent)
    _unpack(path, sandbox.code)


def input_data_config(request: dict[str, Any]) -> dict[str, Any]:
    """What a container finds in inputdataconfig.json."""
    mode = request.get("AlgorithmSpecification", {}).get("TrainingInputMode", "File")
    return {
        channel["ChannelName"]: {
            "TrainingInputMode": channel.get("InputMode", mode),
            "ContentType": channel.get("ContentType", ""),
            "S3DistributionType": channel["DataSource"]["S3DataSource"].get(
                "S3DataDistributionType", "FullyReplicated"
            ),
            "RecordWrapperType": channel.get("RecordWrapperType", "None"),
        }
        for channel in request.get("InputDataConfig", [])
    }


def _bring(s3: S3Client, name: str, source: dict[str, Any], index: int, count: int, sandbox: Sandbox) -> None:
    found = objects(s3, source["S3Uri"])
    if not found:
        raise WorkFailed(f'Data download failed:No S3 objects found under S3 URL "{source["S3Uri"]}"')
    if source.get("S3DataDistributionType") == "ShardedByS3Key":
        found = found[index::count]
    target = sandbox.channel(name)
    target.mkdir(parents=True, exist_ok=True)
    download(s3, found, target)
    if name in DRIVER_CHANNELS:
        _relocate(target, sandbox)


def _relocate(folder: Path, sandbox: Sandbox) -> None:
    for path in files(folder):
        if path.suffix in {".py", ".sh"}:
            path.write_text(relocated(path.read_text(), sandbox))


def _unpack(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as tar:
        # Pythons before 3.11.4 have no filters; tarfile's documentation gives this form for them.
        tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, _path: member)
        tar.extractall(target)  # noqa: S202 - filtered
