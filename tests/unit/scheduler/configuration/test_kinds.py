"""The registry has each kind of section, with defaults that are accepted."""

import json

import pytest

from scheduler.core.configuration import kinds
from scheduler.core.sections.schema import BadSection, ConfigKind
from support.builders.configurations import a_configuration, a_stack
from support.builders.jobs import NOON


def test_each_kind_has_a_schema() -> None:
    assert {*kinds.SCHEMAS} == {*ConfigKind}


@pytest.mark.parametrize("kind", ConfigKind)
def test_the_full_default_of_a_kind_is_plain_data_that_means_the_default(kind: ConfigKind) -> None:
    shown = kinds.SCHEMAS[kind].full_default
    assert json.loads(json.dumps(shown)) == shown
    assert a_configuration(**{kind: shown}) == a_configuration()


def test_the_defaults_have_no_problems_under_any_stack() -> None:
    for budget in ("ml.m5.large=0", "ml.new.xlarge=9"):
        assert [*kinds.problems(a_configuration(), a_stack(budget), NOON)] == []
        assert [*kinds.warnings(a_configuration(), a_stack(budget), NOON)] == []


def test_all_problems_of_all_kinds_are_found_at_once() -> None:
    with pytest.raises(BadSection) as refused:
        kinds.parse({"rules": {"rules": 7}, "callers": [{}], "policy": {"patience": 5, "order": 1}})
    assert {path for path, _ in refused.value.problems} == {
        "rules.rules",
        "callers[0].name",
        "callers[0].principals",
        "callers[0].verbs",
        "policy.patience",
        "policy.order",
    }


@pytest.mark.parametrize(
    ("kind", "path", "placed"),
    [
        ("callers", "[0].name", "callers[0].name"),
        ("rules", "rules[0]", "rules.rules[0]"),
        ("shares", "", "shares"),
        ("shares", "a.b", "shares.a.b"),
    ],
)
def test_a_path_begins_with_its_kind(kind: str, path: str, placed: str) -> None:
    assert kinds.place(kind, path) == placed
    assert kinds.kind_of(placed) == kind
