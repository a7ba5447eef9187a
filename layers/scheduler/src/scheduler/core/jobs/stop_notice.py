"""Defines the notice before a stop, and the saves that programs report.

The rules are in `core/requests/stop_notice`.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Save:
    """Records that an attempt's program reported a save or its start. Anyone with the job's role can report these."""

    step: int | None  # None: the program has started and reads notices, and has saved nothing yet
    saved_at: datetime  # when the save began: later work is not in it
    answers: datetime | None = None  # the `asked_at` of the notice that it answers, once the save is in S3

    def supersedes(self, known: "Save | None") -> bool:
        """Returns whether this is news: the first report, a later save, or the known save as an answer to a notice.

        A program that restarts after a spot interruption reports its start again, but its last save stays recorded.
        """
        if known is None or self.step is None:
            return known is None
        if self.saved_at > known.saved_at:
            return True
        return self.saved_at == known.saved_at and self.answers is not None and known.answers is None


@dataclass(frozen=True, slots=True)
class StopNotice:
    """Asks an attempt's program to save a checkpoint before it is stopped."""

    asked_at: datetime  # identifies the notice
    deadline: datetime  # the latest time at which the stop is sent

    def is_answered_by(self, save: Save | None) -> bool:
        return save is not None and save.answers == self.asked_at
