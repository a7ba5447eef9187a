"""Manages a job's checkpoints: numbered folders in one folder. Only the newest are kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from sagequeue_preempt.disk import Disk
from sagequeue_preempt.manifest import NAME, Manifest, complete, remove, seal

_FOLDER = re.compile(r"save-(\d+)-step-\d+")


@dataclass(frozen=True)
class Checkpoint:
    number: int
    path: Path
    manifest: Manifest


class Checkpoints:
    """Manages numbered folders. Each save gets a new number, so files from two saves never mix, even in S3.

    A checkpoint has its final name from the start, because SageMaker would copy a renamed folder twice. Only its
    manifest is renamed.
    """

    def __init__(self, folder: Path, keep: int, disk: Disk) -> None:
        if keep < 2:
            raise ValueError(f"keep is {keep}: use 2 or more, as the newest checkpoint may not be in S3 yet")
        self._folder = folder
        self._keep = keep
        self._disk = disk
        self._torn: set[int] = set()  # have a manifest, but not all of their files
        self._is_verified = False

    def newest(self, at_most: int | None = None) -> Checkpoint | None:
        """Returns the newest complete checkpoint, with at most the given number. Reads all of its files."""
        for number, path in self._folders():
            if at_most is None or number <= at_most:
                manifest = complete(path)
                if manifest is not None:
                    self._is_verified = True
                    return Checkpoint(number, path, manifest)
                self._torn.add(number)
        self._is_verified = True
        return None

    def next_number(self) -> int:
        return 1 + max((number for number, _ in self._folders()), default=0)

    def open(self, number: int, step: int) -> Path:
        """Creates the folder of a new checkpoint; `close` makes it complete."""
        if not self._is_verified:
            self.newest()
        path = self.folder_of(number, step)
        self._disk.make_folder(path)
        return path

    def folder_of(self, number: int, step: int) -> Path:
        return self._folder / f"save-{number:06d}-step-{step}"

    def close(self, path: Path, step: int, saved_at: str) -> Manifest:
        manifest = seal(self._disk, path, step, saved_at)
        self._remove_old()
        return manifest

    def _folders(self) -> list[tuple[int, Path]]:
        """Returns all checkpoint folders, newest first."""
        found = self._folder.glob("save-*-step-*") if self._folder.is_dir() else ()
        named = ((_FOLDER.fullmatch(path.name), path) for path in found)
        return sorted(((int(match[1]), path) for match, path in named if match), reverse=True)

    def _remove_old(self) -> None:
        """Removes incomplete checkpoints, and all complete checkpoints except the newest."""
        kept = 0
        for number, path in self._folders():
            is_kept = number not in self._torn and (path / NAME).exists() and kept < self._keep
            kept += is_kept
            if not is_kept:
                remove(self._disk, path)
