"""What every RuleStore does: it keeps every version of the rules, and the newest is in force."""

from datetime import timedelta

import pytest

from builders.jobs import NOON
from contract.stores import Stores
from scheduler.domain.rules_document import RulesDocument
from scheduler.ports import RuleStore
from scheduler.refusals import StaleRules


@pytest.fixture
def rules(stores: Stores) -> RuleStore:
    return stores.rules


def a_version(number: int, text: str = '{"format": 1}') -> RulesDocument:
    return RulesDocument(number, text, "arn:aws:iam::123456789012:user/ada", NOON + timedelta(hours=number))


def test_nobody_has_set_rules_at_first(rules: RuleStore) -> None:
    assert rules.latest() is None


def test_the_newest_version_is_in_force_with_its_very_text(rules: RuleStore) -> None:
    for number in range(1, 12):
        rules.add(a_version(number, f'{{"format": 1}}{chr(10) * number}'), by="api")
    assert rules.latest() == a_version(11, '{"format": 1}' + "\n" * 11)


def test_a_version_is_written_once(rules: RuleStore) -> None:
    rules.add(a_version(1, "first"), by="api")
    with pytest.raises(StaleRules):
        rules.add(a_version(1, "second"), by="api")
    assert rules.latest() == a_version(1, "first")
