"""SageMaker's marker files, which appear and vanish beside the files that it copies, never break a checkpoint."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from integration.preempt.machine import BUCKET, Trainer, preemptible
from sagequeue_preempt.disk import Disk
from sagequeue_preempt.launch import Launch
from sagequeue_preempt.log import Log
from sagequeue_preempt.manifest import NAME, Manifest, complete, remove, seal
from sagequeue_preempt.upload import Upload

MARKERS = ("model/weights.sagemaker-uploaded", "optimizer.sagemaker-uploading")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files of a checkpoint, while SageMaker copies one and has copied the other."""
    folder = tmp_path / "checkpoints" / "save-000001-step-0"
    folder.mkdir(parents=True)
    trainer = Trainer(done=[0])
    trainer.save(folder)
    for marker in MARKERS:
        (folder / marker).touch()
    return folder


def sealed(folder: Path, disk: Disk) -> Manifest:
    return seal(disk, folder, 0, "2027-01-15T08:00:00+00:00")


class Copying(Disk):
    """SageMaker deletes its markers, or creates one, while the library works."""

    def __init__(self, folder: Path, *, creates: bool = False) -> None:
        self._folder = folder
        self._creates = creates

    def sync(self, path: Path) -> None:
        self._delete_markers()
        super().sync(path)

    def remove(self, path: Path) -> None:
        if self._creates and path == self._folder / "model":
            (path / "weights.sagemaker-uploaded").touch()
        elif not self._creates and path.name != NAME:  # the manifest is removed before the other files are listed
            self._delete_markers()
        super().remove(path)

    def _delete_markers(self) -> None:
        for marker in MARKERS:
            (self._folder / marker).unlink(missing_ok=True)


def test_the_manifest_has_no_markers_so_a_restored_checkpoint_is_complete(folder: Path, tmp_path: Path) -> None:
    manifest = sealed(folder, Disk())
    assert sorted(manifest.files) == ["model/weights", "optimizer"]
    restored = shutil.copytree(folder, tmp_path / "restored", ignore=shutil.ignore_patterns("*.sagemaker-*"))
    assert complete(restored) == manifest


def test_an_upload_is_whole_without_the_markers(folder: Path, s3: Any) -> None:
    manifest = sealed(folder, Disk())
    for path in filter(Path.is_file, folder.rglob("*")):
        if ".sagemaker-" not in path.name:
            key = f"checkpoints/{folder.name}/{path.relative_to(folder).as_posix()}"
            s3.put_object(Bucket=BUCKET, Key=key, Body=path.read_bytes())
    environ = {
        "SAGEQUEUE_CHECKPOINT_PATH": str(folder.parent),
        "SAGEQUEUE_CHECKPOINT_URI": f"s3://{BUCKET}/checkpoints",
    }
    assert Upload(s3, Launch.read(environ), Log()).is_whole(folder, manifest) is True


def test_a_marker_may_vanish_while_the_manifest_is_written(folder: Path) -> None:
    assert complete(folder) is None
    assert sealed(folder, Copying(folder)) == complete(folder)


def test_a_marker_may_vanish_while_the_checkpoint_is_removed(folder: Path) -> None:
    sealed(folder, Disk())
    remove(Copying(folder), folder)
    assert not folder.exists()


def test_a_folder_with_a_new_marker_stays_incomplete_until_the_next_save(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sealed(folder, Disk())
    remove(Copying(folder, creates=True), folder)
    assert complete(folder) is None
    assert f"sagequeue_preempt: cannot remove {folder / 'model'} yet: " in capsys.readouterr().out
    with preemptible(folder.parent, keep=2) as job:
        Trainer().run(job, 1)
    assert [path.name for path in folder.parent.iterdir()] == ["save-000002-step-0"]
