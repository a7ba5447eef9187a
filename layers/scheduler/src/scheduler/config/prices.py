"""Edits the prices document: get it, apply another one."""

from dataclasses import dataclass
from datetime import timedelta

from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.documents.document import Document
from scheduler.core.spending.prices.document import validated
from scheduler.core.spending.prices.price import PriceList
from scheduler.observe.prices import Prices
from scheduler.ports.clock import Clock

#: In some time zone it is tomorrow already.
_A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PricesEditor:
    """Edits the prices."""

    document: VersionedDocument
    prices: Prices
    clock: Clock

    def get(self) -> tuple[Document | None, PriceList]:
        """Returns the document, and every price known with it."""
        document = self.document.get()
        return document, self.prices.with_document(document)

    def apply(self, text: str, caller: str, replaces: int | None = None) -> tuple[Document, PriceList]:
        """Applies a document as a whole. Raises BadPrices, or StalePrices if `replaces` is not the applied version."""
        validated(text, self.prices.base, (self.clock.now() + _A_DAY).date())
        document = self.document.apply(text, caller, replaces)
        return document, self.prices.with_document(document)
