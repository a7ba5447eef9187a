"""Checks whether SageMaker has copied a checkpoint to S3.

SageMaker copies in the background, and does not guarantee a final copy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sagequeue_preempt.launch import Launch, Place
from sagequeue_preempt.log import S3_ERRORS, Log, first_line
from sagequeue_preempt.manifest import NAME, Manifest

_EARLY = "saves are acknowledged before they are in S3"


class Upload:
    def __init__(self, s3: Any, launch: Launch, log: Log) -> None:
        self._s3 = s3
        self._launch = launch
        self._log = log

    def is_whole(self, folder: Path, manifest: Manifest) -> bool | None:
        """Returns whether all files of the checkpoint are in S3, or None if this cannot be checked."""
        prefix = self._prefix(folder)
        if prefix is None or self._s3 is None:
            return None
        try:
            pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=prefix.bucket, Prefix=prefix.key)
            sizes = {
                item["Key"][len(prefix.key) :]: item["Size"] for page in pages for item in page.get("Contents", [])
            }
        except S3_ERRORS as error:
            self._log.once(f"cannot list {prefix}: {first_line(error)}; {_EARLY}")
            return None
        return NAME in sizes and all(sizes.get(name) == file.bytes for name, file in manifest.files.items())

    def _prefix(self, folder: Path) -> Place | None:
        """Returns the prefix to which SageMaker copies the folder; None if there is none, or if it is unknown."""
        root, uri = self._launch.folder.resolve(), self._launch.checkpoint_uri
        upload = Place.parse(uri)
        if root not in folder.resolve().parents:
            self._log.once(f"{folder} is outside {root}: SageMaker does not copy it to S3")
            return None
        if upload is None:
            if uri:
                self._log.once(f"cannot list {uri}, which is not an S3 URI; {_EARLY}")
            return None
        parts = (upload.key.rstrip("/"), folder.resolve().relative_to(root).as_posix())
        return Place(upload.bucket, "/".join(filter(None, parts)) + "/")
