"""Reads the current prices: the applied document over the prices that the queue knows without one."""

import logging
from dataclasses import dataclass

from scheduler.core.documents.document import Document
from scheduler.core.spending.prices.document import price_list_of
from scheduler.core.spending.prices.price import PriceList
from scheduler.errors.config_errors import BadDocument
from scheduler.ports.config_store import DocumentStore

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prices:
    """Reads price lists."""

    store: DocumentStore
    base: PriceList  # the prices without a document

    def current(self) -> PriceList:
        """Returns the current prices: no price at all if the document cannot be read."""
        return self.with_document(self.store.latest())

    def with_document(self, document: Document | None) -> PriceList:
        """Returns the prices under this document."""
        if document is None:
            return self.base
        try:
            return price_list_of(document.text, self.base)
        except BadDocument as error:
            logger.error("unreadable prices", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
            return PriceList({}, self.base.region)
