"""Defines the jobs and arrays that a job may wait for, with the values that dependencies need."""

from dataclasses import dataclass
from typing import Protocol


class Predecessor(Protocol):
    """A job or an array."""

    @property
    def is_finished(self) -> bool: ...

    @property
    def has_succeeded(self) -> bool: ...

    @property
    def model_artifacts(self) -> str:
        """Returns the S3 URI of its model once it has succeeded; empty if it has none."""

    @property
    def outcome(self) -> str:
        """Returns how it ended, worded as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class UnreadablePredecessor:
    """Stands for an array whose record cannot be read, so that jobs keep waiting for the array."""

    is_finished: bool = False
    has_succeeded: bool = False
    model_artifacts: str = ""
    outcome: str = ""
