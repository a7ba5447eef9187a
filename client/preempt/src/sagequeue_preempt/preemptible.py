"""Makes a training loop preemptible: it resumes, saves in time, and waits to be stopped."""

from __future__ import annotations

import operator
import os
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, SupportsIndex

from sagequeue_preempt.checkpoints import Checkpoint, Checkpoints
from sagequeue_preempt.disk import Disk
from sagequeue_preempt.groups import Alone, Group, agree_on_newest, barrier
from sagequeue_preempt.launch import sign_of_several_processes
from sagequeue_preempt.session import Due, Options, Session


class Preemptible:
    """Makes a training loop preemptible. Use it as a context around the loop, in the main thread:

        with Preemptible() as job:
            start = job.resume(load)
            for step in range(start, steps):
                train(step)
                job.step(step, save)

    `save(path)` writes any files into the folder `path`; `load(path)` restores the model, the optimizer and the random
    numbers from there. With several ranks, give `group=TorchGroup()`: the first rank saves, every rank loads.
    """

    def __init__(
        self,
        *,
        folder: str | Path | None = None,
        every_minutes: float = 10.0,
        keep: int = 3,
        group: Group | None = None,
        wait_seconds: float = 900.0,
        environ: Mapping[str, str] = os.environ,
        s3: Any = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        disk: Disk | None = None,
    ) -> None:
        if group is None and (several := sign_of_several_processes(environ)):
            raise ValueError(f"{several}: give group=sagequeue_preempt.ddp.TorchGroup()")
        options = Options(every_minutes, wait_seconds, environ, s3, clock, sleep)
        self._session = Session(options)
        self._group = group or Alone()
        self._checkpoints = Checkpoints(Path(folder or self._session.launch.folder), keep, disk or Disk())

    def __enter__(self) -> Preemptible:
        self._session.start(self._group)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._session.close()

    def resume(self, load: Callable[[Path], object]) -> int:
        """Loads the newest complete checkpoint. Returns the first step to do: 0 if there is none."""
        checkpoint = agreed_checkpoint(self._checkpoints, self._group)
        if checkpoint is None:
            self._session.began(after=None)
            return 0
        load(checkpoint.path)
        self._session.began(checkpoint.manifest.step)
        return checkpoint.manifest.step + 1

    def step(self, step: SupportsIndex, save: Callable[[Path], object]) -> None:
        """Ends a step. Saves if a save is due. If the job will be stopped, saves and then waits for the stop."""
        number = operator.index(step)  # the float step of an optimizer would name a folder that `resume` does not find
        if number < 0:
            raise ValueError(f"step is {number}: use 0 or more")
        due = self._session.due()
        if due.save:
            if self._group.rank == 0:
                self._save(due, number, save)
            barrier(self._group)
            self._session.done(due)

    def _save(self, due: Due, step: int, save: Callable[[Path], object]) -> None:
        began = self._session.now()
        path = self._checkpoints.open(self._checkpoints.next_number(), step)
        save(path)
        manifest = self._checkpoints.close(path, step, began)
        self._session.saved(due, path, manifest)


def agreed_checkpoint(checkpoints: Checkpoints, group: Group) -> Checkpoint | None:
    """Returns the newest checkpoint that is complete for all ranks. Ranks on one host see the same folder."""
    found: Checkpoint | None = None

    def newest(at_most: int | None) -> int:
        nonlocal found
        found = checkpoints.newest(at_most)
        return found.number if found else 0

    agree_on_newest(group, newest)
    return found
