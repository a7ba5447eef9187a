"""A callback for Lightning: saves before a stop and every few minutes, and finds the newest complete checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lightning.pytorch

from sagequeue_preempt.checkpoints import Checkpoints
from sagequeue_preempt.ddp import current_group
from sagequeue_preempt.disk import Disk
from sagequeue_preempt.groups import barrier
from sagequeue_preempt.session import Due, Options, Session

_FILE = "lightning.ckpt"


class Callback(lightning.pytorch.Callback):  # type: ignore[misc]  # lightning is not installed where types are checked
    """Saves checkpoints in its own folder, in addition to any ModelCheckpoint.

    callback = Callback()
    trainer = Trainer(…, callbacks=[callback])
    trainer.fit(model, data, ckpt_path=callback.last_checkpoint())
    """

    def __init__(self, folder: str | Path | None = None, keep: int = 3, options: Options | None = None) -> None:
        self._session = Session(options or Options())
        self._checkpoints = Checkpoints(Path(folder or self._session.launch.folder), keep, Disk())

    def last_checkpoint(self) -> str | None:
        """Returns the file for `ckpt_path`, or None. Processes that Lightning starts later see the same folder."""
        found = self._checkpoints.newest()
        return None if found is None else str(found.path / _FILE)

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:  # noqa: ARG002  # Lightning's own arguments
        self._session.start(current_group())
        self._session.began(trainer.global_step or None)

    def on_train_batch_end(self, trainer: Any, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002  # same
        due = self._session.due()
        if due.save:
            self._save(due, trainer)
            self._session.done(due)

    def on_train_end(self, *args: Any) -> None:  # noqa: ARG002  # same
        self._session.close()

    def on_exception(self, *args: Any) -> None:  # noqa: ARG002  # same
        self._session.close()

    def _save(self, due: Due, trainer: Any) -> None:
        """Calls Lightning's save on all ranks, as some strategies need. The first rank names the folder."""
        group, began, step = self._session.group, self._session.now(), trainer.global_step
        (number,) = group.largest(self._checkpoints.next_number() if group.rank == 0 else 0)
        path = self._checkpoints.folder_of(number, step)
        if group.rank == 0:
            self._checkpoints.open(number, step)
        barrier(group)
        trainer.save_checkpoint(path / _FILE)
        barrier(group)
        if group.rank == 0:
            self._session.saved(due, path, self._checkpoints.close(path, step, began))
        barrier(group)
