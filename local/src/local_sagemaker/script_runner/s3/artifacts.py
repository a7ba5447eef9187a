"""Uploads the results of a job: the model, and any other output."""

from __future__ import annotations

import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_sagemaker.script_runner.s3.tree import S3Location, files, put, upload

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_s3 import S3Client


def upload_artifacts(s3: S3Client, request: dict[str, Any], models: list[Path], outputs: list[Path]) -> None:
    """Uploads the directories of all hosts. If several hosts wrote the same file, the first host's file is used."""
    config = request["OutputDataConfig"]
    target = S3Location.parse(config["S3OutputPath"]).below(f"{request['TrainingJobName']}/output")
    if config.get("CompressionType") == "NONE":
        for folder in reversed(models):
            upload(s3, folder, target.below("model"))
        for folder in reversed(outputs):
            upload(s3, folder, target.below("data"))
        return
    _upload_archive(s3, models, target.below("model.tar.gz"))
    if any(True for folder in outputs for _ in files(folder)):
        _upload_archive(s3, outputs, target.below("output.tar.gz"))


def _upload_archive(s3: S3Client, folders: list[Path], location: S3Location) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        archive = Path(scratch) / "archive.tar.gz"
        with tarfile.open(archive, "w:gz") as tar:
            for name, path in _merged(folders).items():
                tar.add(path, arcname=name)
        put(s3, archive, location)


def _merged(folders: list[Path]) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for folder in reversed(folders) for path in files(folder)}
