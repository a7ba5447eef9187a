"""Reads the rules document: JSON text becomes Rules, or a list of every problem in it."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from scheduler.core.documents import document_reading
from scheduler.core.documents.document_reading import FieldProblem
from scheduler.core.guardrails.consistency import inconsistencies
from scheduler.core.guardrails.patterns import slow_patterns
from scheduler.core.guardrails.rules import Rules
from scheduler.core.guardrails.structure import structured
from scheduler.errors.config_errors import BadRules


@lru_cache(maxsize=4)  # every submission and every cycle reads the applied document
def rules_of(text: str) -> Rules:
    """Reads an applied document. Raises BadRules."""
    return document_reading.read(text, structured, BadRules)


def validated(text: str, now: datetime) -> Rules:
    """Reads a new document. Raises BadRules for every value that is wrong, contradictory, too slow or expired."""
    document_reading.refuse_ambiguous(text, BadRules)
    rules = rules_of(text)
    document_reading.refuse_problems(text, slow_patterns(rules), BadRules)  # before any pattern is used
    document_reading.refuse_problems(text, [*inconsistencies(rules), *_expired(rules, now)], BadRules)
    return rules


def _expired(rules: Rules, now: datetime) -> Iterator[FieldProblem]:
    for index, exemption in enumerate(rules.exemptions):
        if exemption.expires_at <= now:
            yield f"exemptions[{index}].expires_at", "has passed: renew the exemption or leave it out"
