"""Makes the library's changes on disk. Tests kill the process at each of these changes."""

from __future__ import annotations

import os
from pathlib import Path


class Disk:
    def make_folder(self, path: Path) -> None:
        path.mkdir(parents=True)

    def write(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")

    def sync(self, path: Path) -> None:
        """Flushes a file, or the names in a folder, to the disk."""
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def rename(self, path: Path, target: Path) -> None:
        path.replace(target)

    def remove(self, path: Path) -> None:
        """Removes an empty folder, or a file, unless SageMaker has just deleted it."""
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)
