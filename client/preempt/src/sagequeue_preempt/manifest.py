"""Writes and checks the manifest of a checkpoint: its step, and the size and digest of each file.

The manifest is written last, and shows whether a checkpoint is complete. SageMaker copies files to S3 in any order
while they are written, and S3 has no rename. A folder that is restored from S3 may lack files or contain old files. A
checkpoint is complete only if all its files match its manifest.
"""

from __future__ import annotations

import errno
import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from sagequeue_preempt.disk import Disk
from sagequeue_preempt.log import Log

NAME = "sagequeue-manifest.json"
_UNFINISHED = f"{NAME}.new"
_BLOCK = 1 << 20
#: SageMaker creates files with these endings beside the files that it copies (aws-facts 2.47).
_MARKERS = (".sagemaker-uploading", ".sagemaker-uploaded")


@dataclass(frozen=True)
class File:
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    step: int
    saved_at: str
    files: dict[str, File]


def seal(disk: Disk, folder: Path, step: int, saved_at: str) -> Manifest:
    """Completes the checkpoint in the folder by writing its manifest. Before the rename, it is incomplete."""
    files = {path.relative_to(folder).as_posix(): path for path in _files(folder)}
    for path in files.values():
        disk.sync(path)
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            disk.sync(path)
    manifest = Manifest(step, saved_at, {name: _digest(path) for name, path in files.items()})
    disk.write(folder / _UNFINISHED, json.dumps(asdict(manifest)))
    disk.sync(folder / _UNFINISHED)
    disk.rename(folder / _UNFINISHED, folder / NAME)
    disk.sync(folder)
    disk.sync(folder.parent)
    return manifest


def remove(disk: Disk, folder: Path) -> None:
    """Removes a checkpoint, its manifest first: from then on, the checkpoint is not complete.

    Leaves the folder if SageMaker creates a file in it meanwhile.
    """
    if (folder / NAME).exists():
        disk.remove(folder / NAME)
    for path in [*sorted(folder.rglob("*"), reverse=True), folder]:
        try:
            disk.remove(path)
        except OSError as error:
            if error.errno != errno.ENOTEMPTY:
                raise
            Log().line(f"cannot remove {path} yet: SageMaker is copying its files")


def complete(folder: Path) -> Manifest | None:
    """Returns the manifest if each of its files exists and is complete, else None.

    Ignores other files in the folder.
    """
    try:
        content = json.loads((folder / NAME).read_text(encoding="utf-8"))
        files = {name: File(**file) for name, file in content["files"].items()}
        manifest = Manifest(int(content["step"]), str(content["saved_at"]), files)
        sizes_match = all((folder / name).stat().st_size == file.bytes for name, file in files.items())
        is_whole = sizes_match and all(_digest(folder / name) == file for name, file in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # absent or torn
    return manifest if is_whole else None


def _files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())
    for path in found:
        if path.is_symlink():
            raise ValueError(f"{path} is a symbolic link, which S3 cannot hold; save a copy of its target")
    own = (folder / NAME, folder / _UNFINISHED)
    return [path for path in found if path not in own and not path.name.endswith(_MARKERS)]


def _digest(path: Path) -> File:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        for block in iter(lambda: file.read(_BLOCK), b""):
            digest.update(block)
            size += len(block)
    return File(size, digest.hexdigest())
