"""Synchronises a host's checkpoint directory with its S3 prefix: it downloads at the start, and uploads from then on.

As in SageMaker, a host does not download objects that appear in S3 later. It deletes the objects of deleted files.
The hosts of a job share one prefix. Beside each file that it copies, it creates a marker (aws-facts 2.47).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from local_sagemaker.script_runner.s3.tree import S3Location, download, files, objects, put

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_s3 import S3Client

_Version = tuple[int, int]  # time of modification and size
_UPLOADING, _UPLOADED = ".sagemaker-uploading", ".sagemaker-uploaded"


class CheckpointSync:
    def __init__(self, s3: S3Client, uri: str, folder: Path) -> None:
        self._s3 = s3
        self._uri = uri
        self._folder = folder
        self._target = S3Location.parse(uri)
        self._uploaded: dict[str, _Version] = {}

    def pull(self) -> None:
        prefix = self._uri if self._uri.endswith("/") else f"{self._uri}/"  # `run-1` must not fetch `run-10`
        download(self._s3, objects(self._s3, prefix), self._folder)
        self._uploaded = self._versions()

    def push(self) -> None:
        """Uploads new and changed files, and deletes the objects of deleted files."""
        versions = self._versions()
        for name, version in versions.items():
            if self._uploaded.get(name) != version:
                self._put(name, version)
        for name in self._uploaded.keys() - versions.keys():
            location = self._target.below(name)
            self._s3.delete_object(Bucket=location.bucket, Key=location.key)
            self._marker(name, _UPLOADED).unlink(missing_ok=True)
            del self._uploaded[name]

    def _put(self, name: str, version: _Version) -> None:
        marker = self._marker(name, _UPLOADING)
        try:
            marker.touch()
            put(self._s3, self._folder / name, self._target.below(name))
            marker.replace(self._marker(name, _UPLOADED))
        except FileNotFoundError:
            marker.unlink(missing_ok=True)
            return  # the script replaced or removed it meanwhile; the next push handles it
        self._uploaded[name] = version

    def _marker(self, name: str, suffix: str) -> Path:
        return self._folder / f"{name}{suffix}"

    def _versions(self) -> dict[str, _Version]:
        versions = {}
        for path in files(self._folder):
            if path.name.endswith((_UPLOADING, _UPLOADED)):
                continue
            try:
                stat = path.stat()
            except FileNotFoundError:
                continue  # same
            versions[path.relative_to(self._folder).as_posix()] = (stat.st_mtime_ns, stat.st_size)
        return versions
