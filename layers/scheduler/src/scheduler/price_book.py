"""Prices as operators see them, and as they are in force."""

import logging
from dataclasses import dataclass
from datetime import timedelta

from scheduler.document_book import DocumentBook
from scheduler.document_refusals import BadPrices
from scheduler.domain.document import Document
from scheduler.domain.price import PriceList
from scheduler.policy.prices import accepted, in_force
from scheduler.ports.clock import Clock
from scheduler.ports.operators import DocumentStore

logger = logging.getLogger(__name__)

#: Somewhere it is tomorrow already.
_A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Prices:
    store: DocumentStore
    base: PriceList  # what is known without a document

    def now(self) -> PriceList:
        """What is in force. Under a document that cannot be read no price is known."""
        return self.under(self.store.latest())

    def under(self, document: Document | None) -> PriceList:
        if document is None:
            return self.base
        try:
            return in_force(document.text, self.base)
        except BadPrices as error:
            logger.error("unreadable prices", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            return PriceList({}, self.base.region)


@dataclass(frozen=True, slots=True)
class PriceBook:
    book: DocumentBook
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
