"""Prices as they are in force."""

import logging

from attrs import frozen

from scheduler.core.documents.document import Document
from scheduler.core.spending.prices.price import PriceList
from scheduler.errors.config_errors import BadPrices
from scheduler.ports.config_store import DocumentStore

logger = logging.getLogger(__name__)


@frozen
class Prices:
    store: DocumentStore
    base: PriceList  # what is known without a document

    def now(self) -> PriceList:
        """What is in force. Under a document that cannot be read no price is known."""
        return self.under(self.store.latest())

    def under(self, document: Document | None) -> PriceList:
        if document is None:
            return self.base
        from scheduler.core.spending.prices.document import in_force  # here, so that a queue without any starts sooner

        try:
            return in_force(document.text, self.base)
        except BadPrices as error:
            logger.error("unreadable prices", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            return PriceList({}, self.base.region)
