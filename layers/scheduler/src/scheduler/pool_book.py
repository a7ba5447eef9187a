"""The rules of warm pools as operators see them, and as they are in force."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from scheduler.document_book import DocumentBook
from scheduler.document_refusals import BadPoolRules
from scheduler.domain.budget import Budget
from scheduler.domain.document import Document
from scheduler.domain.pool_rules import NO_POOLS, PoolRules
from scheduler.domain.training_plan import is_reserved
from scheduler.policy.pools.document import accepted, rules_of
from scheduler.ports.operators import DocumentStore
from scheduler.price_book import Prices

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PoolBook:
    book: DocumentBook
    budget: Callable[[], Budget]  # what jobs may ask for
    prices: Prices

    def show(self) -> Document | None:
        return self.book.show()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Put a document into force, as a whole.

        Raises BadPoolRules, or StalePoolRules if `replaces` is not in force.
        """
        on_demand = [kind for kind in self.budget().types if not is_reserved(kind)]
        accepted(text, on_demand, self.prices.now())
        return self.book.apply(text, caller, replaces)


def pool_rules_in(store: DocumentStore, prices: Prices) -> PoolRules:
    """What is in force now. Under a document that cannot be read no attempt leaves a pool."""
    document = store.latest()
    if document is None:
        return NO_POOLS
    try:
        return replace(rules_of(document.text), prices=prices.now())
    except BadPoolRules as error:
        logger.error("unreadable pool rules", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
        return NO_POOLS
