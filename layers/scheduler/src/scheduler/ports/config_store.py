"""What operators lay down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from scheduler.core.documents.controls import Controls
    from scheduler.core.documents.document import Document


class ControlStore(Protocol):
    def read(self) -> Controls:
        """What operators have set. Consistent; the defaults if nobody has set anything."""

    def write(self, controls: Controls, *, by: str) -> Controls:
        """Keep them if their version is still the stored one, and give them with their new version.

        Raises StaleControls. `by` is as in `JobStore.save`.
        """


class DocumentStore(Protocol):
    """The versions of one kind of document."""

    def latest(self) -> Document | None:
        """The version in force; None if nobody has laid one down. Consistent."""

    def add(self, document: Document, *, by: str) -> None:
        """Keep one more version. Raises StaleDocument if its number is taken. `by` is as in `JobStore.save`."""
