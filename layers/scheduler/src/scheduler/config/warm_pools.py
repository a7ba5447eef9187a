"""The rules of warm pools as operators see them: read them, put others into force."""

from collections.abc import Callable

from attrs import frozen

from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.documents.document import Document
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import is_plan_line
from scheduler.core.warm_pools.document import accepted
from scheduler.observe.prices import Prices


@frozen
class PoolRulesEditor:
    book: VersionedDocument
    budget: Callable[[], Budget]  # what jobs may ask for
    prices: Prices

    def show(self) -> Document | None:
        return self.book.show()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Put a document into force, as a whole.

        Raises BadPoolRules, or StalePoolRules if `replaces` is not in force.
        """
        on_demand = [kind for kind in self.budget().types if not is_plan_line(kind)]
        accepted(text, on_demand, self.prices.now())
        return self.book.apply(text, caller, replaces)
