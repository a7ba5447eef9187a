"""Stores of the operators' settings: the controls, and the versions of each document."""

from typing import Protocol

from scheduler.core.documents.controls import Controls
from scheduler.core.documents.document import Document


class ControlStore(Protocol):
    def read(self) -> Controls:
        """Returns the controls, or the defaults if no operator has set any. Consistent."""

    def write(self, controls: Controls, *, by: str) -> Controls:
        """Saves controls of the stored version, with a new one. `by` is as in `JobStore.save`. Raises StaleControls."""


class DocumentStore(Protocol):
    """The versions of one kind of document."""

    def latest(self) -> Document | None:
        """Returns the applied version; None if no operator has applied one. Consistent."""

    def add(self, document: Document, *, by: str) -> None:
        """Adds a version. Raises StaleDocument if its number is taken. `by` is as in `JobStore.save`."""
