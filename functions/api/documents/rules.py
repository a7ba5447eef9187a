"""GET, PUT and check of the rules document: the guardrails for jobs."""

from api.documents.dry_runs import DryRun, dry_run_view
from api.documents.versions import DocumentAnswer, document_view, replaced_version
from api.http.call import Call
from scheduler.core.callers.permissions import Verb
from scheduler.core.documents.document import Document
from scheduler.wiring import config, shared

#: The document that has the same effect as none.
NO_RULES_TEXT = '{"format": 1, "rules": []}'


class Rules(DocumentAnswer):
    """The applied rules; version 0 means that there are none."""


def get_rules(_call: Call) -> Rules:
    return _rules_view(config.rules_editor().get())


def apply_rules(call: Call) -> Rules:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return _rules_view(config.rules_editor().apply(call.body, call.caller, replaced_version(call)))


def check_rules(call: Call) -> DryRun:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return dry_run_view(config.rules_editor().dry_run(call.body))


def _rules_view(document: Document | None) -> Rules:
    return {**document_view(document, NO_RULES_TEXT)}
