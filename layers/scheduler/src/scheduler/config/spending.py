"""Edits the monthly spending limits: get them, apply others."""

from dataclasses import dataclass

from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.documents.document import Document
from scheduler.core.jobs.budget import Budget
from scheduler.core.spending.document import validated
from scheduler.observe.spending import SpendingReader


@dataclass(frozen=True, slots=True)
class SpendingEditor:
    """Edits the spending limits."""

    document: VersionedDocument
    spending: SpendingReader
    parameter: Budget

    def get(self) -> Document | None:
        return self.document.get()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Applies limits as a whole. Raises BadSpending, or StaleSpending if `replaces` is not the applied version."""
        teams = [team.name for team in self.spending.teams]
        validated(text, teams, self.parameter.types, self.spending.prices.current())
        return self.document.apply(text, caller, replaces)
