"""Prices as operators see them: read them, put others into force."""

from datetime import timedelta

from attrs import frozen

from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.documents.document import Document
from scheduler.core.spending.prices.document import accepted
from scheduler.core.spending.prices.price import PriceList
from scheduler.observe.prices import Prices
from scheduler.ports.clock import Clock

#: Somewhere it is tomorrow already.
_A_DAY = timedelta(days=1)


@frozen
class PricesEditor:
    book: VersionedDocument
    prices: Prices
    clock: Clock

    def show(self) -> tuple[Document | None, PriceList]:
        """The document, and all prices that are known with it."""
        document = self.book.show()
        return document, self.prices.under(document)

    def apply(self, text: str, caller: str, replaces: int | None = None) -> tuple[Document, PriceList]:
        """Put a document into force, as a whole. Raises BadPrices, or StalePrices if `replaces` is not in force."""
        accepted(text, self.prices.base, (self.clock.now() + _A_DAY).date())
        document = self.book.apply(text, caller, replaces)
        return document, self.prices.under(document)
