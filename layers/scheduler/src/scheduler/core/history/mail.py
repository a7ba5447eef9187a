"""Selects the email addresses that receive a notice."""

from collections.abc import Iterable
from dataclasses import dataclass

from scheduler.core.history.notices import Notice
from scheduler.core.history.subscriber import Conditions


@dataclass(frozen=True, slots=True)
class MailRule:
    to: tuple[str, ...]
    conditions: Conditions


def addresses_for(notice: Notice, team: str, rules: Iterable[MailRule]) -> tuple[str, ...]:
    return addresses_in(rule for rule in rules if rule.conditions.select(notice, team))


def addresses_in(rules: Iterable[MailRule]) -> tuple[str, ...]:
    """Returns each address once, sorted."""
    return tuple(sorted({address for rule in rules for address in rule.to}))
