"""Keeps a host's checkpoint directory and its S3 prefix alike: down at the start, up from then on.

What appears in S3 later is not copied down, deletions go up, and the hosts of a job share one prefix, as in SageMaker.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from local_sagemaker.script_runner.s3.tree import S3Location, download, files, objects, put

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_Version = tuple[int, int]  # time of modification and size


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
        """Uploads what is new or changed, deletes what is gone."""
        versions = self._versions()
        for name, version in versions.items():
            if self._uploaded.get(name) != version:
                self._put(name, version)
        for name in self._uploaded.keys() - versions.keys():
            location = self._target.below(name)
            self._s3.delete_object(Bucket=location.bucket, Key=location.key)
            del self._uploaded[name]

    def _put(self, name: str, version: _Version) -> None:
        try:
            put(self._s3, self._folder / name, self._target.below(name))
        except FileNotFoundError:
            return  # the script replaced or removed it meanwhile; the next push sees what it is now
        self._uploaded[name] = version

    def _versions(self) -> dict[str, _Version]:
        versions = {}
        for path in files(self._folder):
            try:
                stat = path.stat()
            except FileNotFoundError:
                continue  # same
            versions[path.relative_to(self._folder).as_posix()] = (stat.st_mtime_ns, stat.st_size)
        return versions
