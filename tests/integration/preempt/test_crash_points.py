"""A kill at any write of the library loses at most one interval, and no torn checkpoint is ever loaded."""

from __future__ import annotations

import os
import random
import shutil
from dataclasses import dataclass, field
from itertools import count, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from integration.preempt.machine import Killed, MortalDisk, Trainer, preemptible

STEPS = 8
#: A queue that gives no notice, but wants to know what is saved.
ACKNOWLEDGES = {"SAGEQUEUE_ATTEMPT": "a-sq-1", "SAGEQUEUE_ACK_URI": "s3://queue-bucket/acks/a-sq-1"}


@dataclass
class CopyInS3:
    """SageMaker's copy of the folder, one file at a time, in any order, while files are written."""

    folder: Path
    chance: random.Random
    deletes: bool  # documented, but objects may also stay
    objects: dict[str, bytes] = field(default_factory=dict)

    def copy_some(self) -> None:
        if self.chance.random() < 0.8 and (names := sorted({*self.objects, *self._names()})):
            self._copy(self.chance.choice(names))

    def copy_all(self) -> None:
        for name in {*self.objects, *self._names()}:
            self._copy(name)

    def restore(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for name, content in self.objects.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(content)

    def _copy(self, name: str) -> None:
        path = self.folder / name
        if path.exists():
            content = path.read_bytes()
            is_cut = (
                self.objects.get(name) != content and self.chance.random() < 0.1
            )  # it was read while it was written
            self.objects[name] = content[: len(content) // 2] if is_cut else content
        elif self.deletes:
            self.objects.pop(name, None)

    def _names(self) -> list[str]:
        """Returns the files' paths in the folder. It is called before and after each write, and rglob is slow."""
        root = len(f"{self.folder}/")
        return [f"{folder}/{name}"[root:] for folder, _, names in os.walk(self.folder) for name in names]


@dataclass(frozen=True)
class Life:
    """One attempt: the operation at which it is killed, and what is left of its disk."""

    kill_at: int
    ends: str  # "process", "power" or "machine"


LIVES = st.lists(st.builds(Life, st.integers(1, 250), st.sampled_from(["process", "power", "machine"])), max_size=6)


@given(lives=LIVES, seed=st.integers(0, 2**32), deletes=st.booleans(), keep=st.integers(2, 4))
def test_a_kill_at_any_write_loses_at_most_one_interval(lives: list[Life], seed: int, deletes: bool, keep: int) -> None:
    with TemporaryDirectory() as home:
        run = _Run(Path(home) / "checkpoints", random.Random(seed), deletes, keep)  # noqa: S311  # repeats a run
        for life in lives:
            run.live(life)
        assert run.live(Life(0, "process")) == STEPS


class _Run:
    """A job of many attempts. Each step is an interval; each upload ends before `keep - 1` more saves."""

    def __init__(self, folder: Path, chance: random.Random, deletes: bool, keep: int) -> None:
        folder.mkdir()
        self._folder = folder
        self._chance = chance
        self._keep = keep
        self._s3 = CopyInS3(folder, chance, deletes)
        self._saved = -1  # the last step whose save returned
        self._in_s3 = -1  # the last one that was copied whole
        self._lag = 0  # saves since then

    def live(self, life: Life) -> int:
        """Trains from the newest checkpoint. Returns the number of steps that are done."""
        disk = MortalDisk(life.kill_at, self._s3.copy_some)
        trainer = Trainer(write=disk.write)
        disk.synced.update(self._folder.rglob("*"))
        job = preemptible(self._folder, keep=self._keep, disk=disk, environ=ACKNOWLEDGES, s3=disk)
        start = job.resume(trainer.load)
        assert start >= self._saved + 1  # nothing is lost but the step that was not saved
        self._saved = start - 1
        try:
            with job:
                for step in range(start, STEPS):
                    trainer.train(step)
                    job.step(step, trainer.save)
                    self._saved = step
                    self._lag += 1
                    if self._lag > self._keep - 2 or self._chance.random() < 0.5:
                        self._copy()
        except Killed:
            self._saved = max(self._saved, disk.acknowledged)
            self._end(life, disk)
        return self._saved + 1

    def _copy(self) -> None:
        """Copies all files, until none is cut."""
        self._s3.copy_all()
        while any(
            (self._folder / name).exists() and (self._folder / name).read_bytes() != content
            for name, content in self._s3.objects.items()
        ):
            self._s3.copy_all()
        self._in_s3, self._lag = self._saved, 0

    def _end(self, life: Life, disk: MortalDisk) -> None:
        if life.ends == "machine":
            self._s3.restore()
            self._saved, self._lag = self._in_s3, 0
        elif life.ends == "power":
            for path in self._folder.rglob("*"):
                if path.is_file() and path not in disk.synced:
                    path.write_bytes(b"")


def test_a_kill_at_each_write_of_a_save_leaves_the_one_before(tmp_path: Path) -> None:
    """The writes are those of the script's files, of the library, of the removal of the oldest save, and to S3."""
    resumed = list(takewhile(lambda start: start is not None, (third_save(tmp_path, at) for at in count(1))))
    assert set(resumed) == {2, 3}


def third_save(home: Path, kill_at: int) -> int | None:
    """Kills the third save of a job. Returns where the next attempt begins, or None if nothing was killed."""
    folder, disk = home / str(kill_at), MortalDisk(kill_at, lambda: None)
    with preemptible(folder, keep=2) as job:
        Trainer().run(job, 2)
    trainer = Trainer(write=disk.write)
    with preemptible(folder, keep=2, disk=disk, environ=ACKNOWLEDGES, s3=disk) as job:
        try:
            trainer.run(job, 3)
        except Killed:
            start = preemptible(folder).resume(Trainer().load)
            assert start > disk.acknowledged
            return start
    return None
