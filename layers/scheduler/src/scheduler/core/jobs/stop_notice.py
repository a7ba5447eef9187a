"""The notice before a stop, and what programs report. `core/requests/stop_notice` has the rules."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Save:
    """A save that an attempt's program has reported, or its start. Anybody with its role can report one."""

    step: int | None  # None: the program has started and reads notices, and has saved nothing yet
    saved_at: datetime  # when it began: later work is not in it
    answers: datetime | None = None  # the `asked_at` of the notice that it answers, once it is in S3

    def supersedes(self, known: "Save | None") -> bool:
        """Returns whether this report is news: the first, a later save, or the same one that answers a notice now.

        A program that starts again after a spot interruption reports its start again; its last save stays known.
        """
        if known is None or self.step is None:
            return known is None
        if self.saved_at > known.saved_at:
            return True
        return self.saved_at == known.saved_at and self.answers is not None and known.answers is None


@dataclass(frozen=True, slots=True)
class StopNotice:
    """The request to an attempt's program to save before it is stopped."""

    asked_at: datetime  # identifies the notice
    deadline: datetime  # the stop is sent then at the latest

    def is_answered_by(self, save: Save | None) -> bool:
        return save is not None and save.answers == self.asked_at
