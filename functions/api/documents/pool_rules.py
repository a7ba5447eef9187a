"""GET and PUT of the pool rules: which attempts leave a warm pool, and for how long."""

from api.documents.versions import DocumentAnswer, document_view, replaced_version
from api.http.call import Call
from scheduler.core.callers.permissions import Verb
from scheduler.core.documents.document import Document
from scheduler.wiring import config, shared

#: The document that has the same effect as none.
NO_POOL_RULES_TEXT = '{"format": 1, "pools": []}'


class PoolRules(DocumentAnswer):
    """The applied pool rules; version 0 means that there are none, and no attempt leaves a pool."""


def get_pool_rules(_call: Call) -> PoolRules:
    return _pool_rules_view(config.pool_rules_editor().get())


def apply_pool_rules(call: Call) -> PoolRules:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return _pool_rules_view(config.pool_rules_editor().apply(call.body, call.caller, replaced_version(call)))


def _pool_rules_view(document: Document | None) -> PoolRules:
    return {**document_view(document, NO_POOL_RULES_TEXT)}
