"""The rules of warm pools as they are in force."""

import logging

from attrs import evolve

from scheduler.document_refusals import BadPoolRules
from scheduler.domain.pool_rules import NO_POOLS, PoolRules
from scheduler.ports.operators import DocumentStore
from scheduler.prices import Prices

logger = logging.getLogger(__name__)


def pool_rules_in(store: DocumentStore, prices: Prices) -> PoolRules:
    """What is in force now. Under a document that cannot be read no attempt leaves a pool."""
    document = store.latest()
    if document is None:
        return NO_POOLS
    from scheduler.policy.pools.document import rules_of  # here, so that a queue without any starts sooner

    try:
        return evolve(rules_of(document.text), prices=prices.now())
    except BadPoolRules as error:
        logger.error("unreadable pool rules", extra={"version": document.version, "cause": str(error)})  # noqa: TRY400 - its text says it all
        return NO_POOLS
