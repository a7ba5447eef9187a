"""A callback for Hugging Face's Trainer: saves before a stop, and finds the newest complete checkpoint."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import transformers

from sagequeue_preempt.ddp import current_group
from sagequeue_preempt.disk import Disk
from sagequeue_preempt.groups import agree_on_newest, barrier
from sagequeue_preempt.manifest import complete, remove, seal
from sagequeue_preempt.session import Due, Options, Session

_FOLDER = re.compile(r"checkpoint-(\d+)")
_NOT_DUE = Due(by_notice=False, by_sigterm=False, by_time=False)


class TrainerCallback(transformers.TrainerCallback):  # type: ignore[misc]  # transformers is not installed where types are checked
    """Requests the saves that are due, and adds a manifest to each checkpoint that the Trainer writes.

    callback = TrainerCallback()
    trainer = Trainer(…, args=TrainingArguments("/opt/ml/checkpoints", …), callbacks=[callback])
    trainer.train(resume_from_checkpoint=callback.last_checkpoint("/opt/ml/checkpoints"))
    """

    def __init__(self, options: Options | None = None) -> None:
        self._session = Session(options or Options())
        self._due = _NOT_DUE
        self._began = ""
        self._agreed = 0  # the step of the newest checkpoint that is complete on all hosts; 0: there is none
        self._newer: dict[int, Path] = {}  # by step; until the training begins

    def last_checkpoint(self, output_dir: str) -> str | None:
        """Returns the newest complete checkpoint of the Trainer, or None. Call it on all ranks."""
        folders = _folders(Path(output_dir))
        found = {step for step, path in folders.items() if complete(path)}
        self._agreed = agree_on_newest(current_group(), lambda most: _newest(found, most))
        self._newer = {step: path for step, path in folders.items() if step > self._agreed}
        return str(folders[self._agreed]) if self._agreed else None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ARG002  # the Trainer's own arguments
        if args.save_total_limit == 1:
            raise ValueError("save_total_limit is 1: use 2 or more, as the newest checkpoint may not be complete")
        self._session.start(current_group())
        self._clear(state)
        self._session.began(state.global_step or None)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ARG002  # same
        self._due, self._began = self._session.due(), self._session.now()
        if self._due.save:
            control.should_save = True

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ARG002  # same
        session, step = self._session, state.global_step
        barrier(session.group)  # other ranks may still write their random states
        if session.group.rank == 0:
            path = Path(args.output_dir) / f"checkpoint-{step}"
            session.saved(self._due, path, seal(Disk(), path, step, self._began))
        barrier(session.group)
        session.done(self._due)
        self._due = _NOT_DUE

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ARG002  # same
        self.close()

    def close(self) -> None:
        """Stops polling. The Trainer calls no callback after an error, so call this if the process continues."""
        self._session.close()

    def _clear(self, state: Any) -> None:
        """Clears the folders that are newer than the checkpoint from which the training continues.

        The Trainer deletes the lowest steps first: it would keep these folders instead of complete checkpoints.
        """
        for is_mine in (self._session.group.rank == 0, state.is_local_process_zero):  # in turn: hosts may share folders
            if is_mine:
                for step, path in self._newer.items():
                    if step > state.global_step and path.exists():
                        self._clear_away(path)
            barrier(self._session.group)
        self._newer = {}  # another training may write these folders again

    def _clear_away(self, path: Path) -> None:
        """Removes the folder, or renames it if it may be the work of an earlier program that wrote no manifests."""
        aside = path.with_name(f"unverified-{path.name}")
        can_be_whole = (path / "trainer_state.json").exists()  # without it, the Trainer does not resume
        if can_be_whole and not self._agreed and not aside.exists():
            path.rename(aside)
            self._session.log.line(f"{path} is not complete on all hosts: it is now {aside.name}")
        else:
            self._session.log.line(f"removing {path}, which is not complete on all hosts")
            remove(Disk(), path)


def _folders(output_dir: Path) -> dict[int, Path]:
    """Returns the Trainer's checkpoint folders by their steps."""
    named = ((_FOLDER.fullmatch(path.name), path) for path in output_dir.glob("checkpoint-*"))
    return {int(match[1]): path for match, path in named if match}


def _newest(steps: Collection[int], most: int | None) -> int:
    return max((step for step in steps if most is None or step <= most), default=0)
