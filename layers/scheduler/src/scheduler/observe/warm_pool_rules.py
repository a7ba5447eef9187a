"""Reads the applied rules of warm pools."""

import logging
from dataclasses import replace

from scheduler.core.warm_pools.document import rules_of
from scheduler.core.warm_pools.pool_rules import NO_POOLS, PoolRules
from scheduler.errors.config_errors import BadDocument
from scheduler.observe.prices import Prices
from scheduler.ports.config_store import DocumentStore

logger = logging.getLogger(__name__)


def applied_pool_rules(store: DocumentStore, prices: Prices) -> PoolRules:
    """Returns the applied rules. If the document cannot be read, no attempt leaves a pool."""
    document = store.latest()
    if document is None:
        return NO_POOLS
    try:
        return replace(rules_of(document.text), prices=prices.current())
    except BadDocument as error:
        logger.error("unreadable pool rules", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
        return NO_POOLS
