"""The limits on spending as operators see them: read them, put others into force. The book is what has been spent."""

from attrs import frozen

from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.documents.document import Document
from scheduler.core.jobs.budget import Budget
from scheduler.core.spending.document import accepted
from scheduler.observe.spending import SpendingReader


@frozen
class SpendingEditor:
    book: VersionedDocument
    spending: SpendingReader
    parameter: Budget

    def show(self) -> Document | None:
        return self.book.show()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Put limits into force, as a whole. Raises BadSpending, or StaleSpending if `replaces` is not in force."""
        teams = [team.name for team in self.spending.teams]
        accepted(text, teams, self.parameter.types, self.spending.prices.now())
        return self.book.apply(text, caller, replaces)
