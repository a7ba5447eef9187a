"""Edits the rules of warm pools: get them, apply others."""

from collections.abc import Callable
from dataclasses import dataclass

from scheduler.config.versioned_document import VersionedDocument
from scheduler.core.documents.document import Document
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import is_plan_line
from scheduler.core.warm_pools.document import validated
from scheduler.observe.prices import Prices


@dataclass(frozen=True, slots=True)
class PoolRulesEditor:
    """Edits the pool rules."""

    document: VersionedDocument
    budget: Callable[[], Budget]  # the most that jobs may request
    prices: Prices

    def get(self) -> Document | None:
        return self.document.get()

    def apply(self, text: str, caller: str, replaces: int | None = None) -> Document:
        """Applies a document as a whole.

        Raises BadPoolRules, or StalePoolRules if `replaces` is not the applied version.
        """
        on_demand = [instance_type for instance_type in self.budget().types if not is_plan_line(instance_type)]
        validated(text, on_demand, self.prices.current())
        return self.document.apply(text, caller, replaces)
