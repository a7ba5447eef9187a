"""Downloads a job's code and data channels to its hosts, and adapts AWS's own driver scripts to the sandbox."""

from __future__ import annotations

import re
import shlex
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_sagemaker.errors import JobError
from local_sagemaker.script_runner.host.cluster import Node
from local_sagemaker.script_runner.host.sandbox import Sandbox
from local_sagemaker.script_runner.s3.tree import download, files, objects

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_s3 import S3Client

# The channels of AWS's own driver scripts, which start the user's script: those of SDK v3's ModelTrainer and of
# @remote. Driver scripts expect a container with its files in /opt/ml.
_DRIVER_CHANNELS = frozenset({"sm_drivers", "sagemaker_remote_function_bootstrap"})
# A function call that starts another Python. Both words have the same length, as a look-behind requires.
_INVOKE = re.compile(r'(?<=python |mpi4py )-m (sagemaker(?:\.core)?\.remote_function)\.invoke_function(?= "\$@")')


def download_channels(s3: S3Client, request: dict[str, Any], node: Node, cluster: list[Node], sandbox: Sandbox) -> None:
    for channel in request.get("InputDataConfig", []):
        source = channel["DataSource"].get("S3DataSource", {})
        if source.get("S3DataType") != "S3Prefix":
            raise JobError(f"Channel {channel['ChannelName']!r}: local_sagemaker reads inputs of type S3Prefix only")
        groups = source.get("InstanceGroupNames")
        if groups is None or node.group in groups:
            receivers = [other for other in cluster if groups is None or other.group in groups]
            _download_channel(s3, channel["ChannelName"], source, receivers.index(node), len(receivers), sandbox)


def download_code(s3: S3Client, archive: str, sandbox: Sandbox) -> None:
    """Unpacks the SDK's source archive from S3 or, with network isolation, from a channel."""
    path = sandbox.real_path(archive)
    if archive.startswith("s3://"):
        path = sandbox.input / "sourcedir.tar.gz"
        found = [(location, path.name) for location, relative in objects(s3, archive) if not relative.count("/")]
        if not found:
            raise JobError(f'Data download failed:No source archive found at "{archive}"')
        download(s3, found[:1], path.parent)
    _unpack(path, sandbox.code)


def input_data_config(request: dict[str, Any]) -> dict[str, Any]:
    """Returns the content of the container's inputdataconfig.json."""
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


def adapted_script(script: str, sandbox: Sandbox) -> str:
    """Rewrites a driver script with the sandbox's paths, including the failure file of @remote in the SDK's module."""
    return _INVOKE.sub(lambda call: f"-c {shlex.quote(_invocation(call[1], sandbox))}", sandbox.mapped(script))


def _download_channel(
    s3: S3Client, name: str, source: dict[str, Any], index: int, count: int, sandbox: Sandbox
) -> None:
    found = objects(s3, source["S3Uri"])
    if not found:
        raise JobError(f'Data download failed:No S3 objects found under S3 URL "{source["S3Uri"]}"')
    if source.get("S3DataDistributionType") == "ShardedByS3Key":
        found = found[index::count]
    target = sandbox.channel(name)
    target.mkdir(parents=True, exist_ok=True)
    download(s3, found, target)
    if name in _DRIVER_CHANNELS:
        _adapt_scripts(target, sandbox)


def _adapt_scripts(folder: Path, sandbox: Sandbox) -> None:
    for path in files(folder):
        if path.suffix in {".py", ".sh"}:
            path.write_text(adapted_script(path.read_text(), sandbox))


def _unpack(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as tar:
        # Python before 3.11.4 has no filters. The tarfile documentation recommends this form.
        tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, _path: member)
        tar.extractall(target)  # noqa: S202 - filtered


def _invocation(package: str, sandbox: Sandbox) -> str:
    return (
        f"import sys; from {package} import errors, invoke_function; "
        f"errors.FAILURE_REASON_PATH = {str(sandbox.failure)!r}; invoke_function.main(sys.argv[1:])"
    )
