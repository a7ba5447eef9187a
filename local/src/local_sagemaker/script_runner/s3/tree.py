"""Downloads and uploads directory trees in S3."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from local_sagemaker.errors import JobError

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_s3 import S3Client


@dataclass(frozen=True, slots=True)
class S3Location:
    bucket: str
    key: str

    @classmethod
    def parse(cls, uri: str) -> S3Location:
        scheme, _, rest = uri.partition("://")
        bucket, _, key = rest.partition("/")
        if scheme != "s3" or not bucket:
            raise JobError(f"{uri!r} is not an S3 URI; use s3://BUCKET/KEY")
        return cls(bucket, key)

    def below(self, relative: str) -> S3Location:
        return S3Location(self.bucket, f"{self.key.rstrip('/')}/{relative}".lstrip("/"))


def objects(s3: S3Client, uri: str) -> list[tuple[S3Location, str]]:
    """Lists the objects under a prefix, each with its path relative to the prefix."""
    prefix = S3Location.parse(uri)
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=prefix.bucket, Prefix=prefix.key)
    keys = (item["Key"] for page in pages for item in page.get("Contents", []))
    return [(S3Location(prefix.bucket, key), _relative(key, prefix.key)) for key in keys if not key.endswith("/")]


def download(s3: S3Client, found: list[tuple[S3Location, str]], target: Path) -> None:
    for location, relative in found:
        path = target / relative
        if not path.resolve().is_relative_to(target.resolve()):
            raise JobError(f"The object key {location.key!r} is outside the input directory")
        path.parent.mkdir(parents=True, exist_ok=True)
        s3.download_file(location.bucket, location.key, str(path))


def upload(s3: S3Client, source: Path, target: S3Location) -> None:
    for path in files(source):
        put(s3, path, target.below(path.relative_to(source).as_posix()))


def put(s3: S3Client, path: Path, location: S3Location) -> None:
    """Uploads a copy of the file: if a script shortened the file during the upload, S3 would wait for the rest."""
    with path.open("rb") as file, tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(file, copy)
        copy.seek(0)
        s3.put_object(Bucket=location.bucket, Key=location.key, Body=copy)


def files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _relative(key: str, prefix: str) -> str:
    """Returns the key's path below the prefix.

    A prefix such as `data/train` is a folder, or the beginning of names in `data/`.
    """
    folder = prefix if prefix.endswith("/") or not prefix else f"{prefix}/"
    return key.removeprefix(folder) if key.startswith(folder) else key[prefix.rfind("/") + 1 :]
