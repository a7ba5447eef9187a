"""A callback for Hugging Face's Trainer: saves before a stop, and finds the newest complete checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import transformers

from sagequeue_preempt.ddp import current_group
from sagequeue_preempt.disk import Disk
from sagequeue_preempt.groups import barrier
from sagequeue_preempt.manifest import complete, seal
from sagequeue_preempt.session import Due, Options, Session

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

    def last_checkpoint(self, output_dir: str) -> str | None:
        """Returns the newest complete checkpoint of the Trainer, or None. Call it on all ranks."""
        found = {_step(path): path for path in Path(output_dir).glob("checkpoint-*") if complete(path)}
        agreed = -current_group().largest(-max(found, default=0))[0]
        return str(found[agreed]) if agreed in found else None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ARG002  # the Trainer's own arguments
        if args.save_total_limit == 1:
            raise ValueError("save_total_limit is 1: use 2 or more, as the newest checkpoint may not be complete")
        self._session.start(current_group())
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


def _step(path: Path) -> int:
    return int(path.name.rpartition("-")[2])
