"""The rules document: JSON text that becomes Rules, or a list of everything that is wrong with it."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from scheduler.core.documents import document_reading
from scheduler.core.documents.document_reading import Found
from scheduler.core.guardrails.contradictions import contradictions
from scheduler.core.guardrails.patterns import slow_patterns
from scheduler.core.guardrails.rules import Rules
from scheduler.core.guardrails.structure import structured
from scheduler.errors.config_errors import BadRules


@lru_cache(maxsize=4)  # every submission and every cycle asks for the document that is in force
def rules_of(text: str) -> Rules:
    """Read a document that was accepted once. Raises BadRules."""
    return document_reading.read(text, structured, BadRules)


def accepted(text: str, now: datetime) -> Rules:
    """Read a new document. Raises BadRules for anything in it that is wrong, contradictory, too slow or past."""
    document_reading.refuse_ambiguous(text, BadRules)
    rules = rules_of(text)
    document_reading.refuse_found(text, slow_patterns(rules), BadRules)  # before any of them is used
    document_reading.refuse_found(text, [*contradictions(rules), *_expired(rules, now)], BadRules)
    return rules


def _expired(rules: Rules, now: datetime) -> Iterator[Found]:
    for index, exemption in enumerate(rules.exemptions):
        if exemption.expires_at <= now:
            yield f"exemptions[{index}].expires_at", "has passed: renew the exemption or leave it out"
