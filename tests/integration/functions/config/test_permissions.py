"""Each change to the configuration needs the permission for its kinds, and no caller can grant themselves more."""

from collections.abc import Callable
from typing import Any

import pytest

from integration.functions.conftest import ADA, ROOT, configure, corrupt
from scheduler.core.sections.schema import ConfigKind
from support.builders.callers import ACCOUNT, an_entry

Call = Callable[..., tuple[int, dict[str, Any]]]

BOB = f"arn:aws:sts::{ACCOUNT}:assumed-role/Nlp/bob"
CYD = f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision/cyd"
#: Of each kind a section that differs from the default.
CHANGES: dict[ConfigKind, Any] = {
    ConfigKind.RULES: {"failing": {"launching": "open"}},
    ConfigKind.CALLERS: [an_entry("role/Nlp", verbs=["submit", "operate"])],
    ConfigKind.CALENDAR: {"excess": "stop"},
    ConfigKind.POOLS: [{"instance_type": "ml.m5.large", "use": "reuse"}],
    ConfigKind.PRICES: {"as_of": "2026-11-20"},
    ConfigKind.SPENDING: {"time_zone": "Europe/Berlin"},
    ConfigKind.POLICY: {"patience": "1m"},
    ConfigKind.SHARES: {"vision": {"members": ["*/vision*"]}},
    ConfigKind.IDLE_GPUS: {"action": "off"},
    ConfigKind.HANGS: {"action": "warn"},
    ConfigKind.NAN: {"action": "warn"},
    ConfigKind.RETRIES: {"leaving_spot": {"allowed": False}},
    ConfigKind.NOTICES: {"owners": ["failed"]},
}
_ALL_BUT_RULES = ", ".join(f"config:{kind}" for kind in ConfigKind if kind is not ConfigKind.RULES)


def grant(call: Call, *verbs: str) -> None:
    """Gives bob's role these verbs besides submit."""
    configure(call, callers=[an_entry("role/Nlp", verbs=["submit", *verbs]), an_entry("*", name="others")])


def version(call: Call) -> int:
    number: int = call("GET", "/config", caller=ROOT)[1]["version"]
    return number


def assert_lacks(answer: tuple[int, dict[str, Any]], permission: str) -> None:
    status, told = answer
    assert (status, told["error"]) == (403, "not_permitted")
    assert told["message"] == f"role/Nlp lacks the permission {permission}"
    assert told["remedy"]


@pytest.mark.parametrize("kind", ConfigKind)
def test_a_caller_without_permission_neither_plans_nor_applies_a_kind(call: Call, kind: ConfigKind) -> None:
    for method, path, body in (
        ("PUT", f"/config/{kind}", CHANGES[kind]),
        ("POST", f"/config/{kind}/plan", CHANGES[kind]),
        ("PUT", f"/config/{kind}", "neither read nor reported"),
    ):
        assert_lacks(call(method, path, body, caller=BOB), f"config:{kind}")
    assert_lacks(call("PUT", "/config", {str(kind): CHANGES[kind]}, caller=BOB), "operate")
    assert version(call) == 0


@pytest.mark.parametrize("kind", [kind for kind in ConfigKind if kind is not ConfigKind.CALLERS])
def test_the_permission_for_a_kind_is_for_that_kind_only(call: Call, kind: ConfigKind) -> None:
    grant(call, f"config:{kind}")
    assert call("POST", f"/config/{kind}/plan", CHANGES[kind], caller=BOB)[0] == 200
    status, applied = call("PUT", "/config", {str(kind): CHANGES[kind]}, caller=BOB)
    assert (status, applied["version"], applied["changed"], applied["author"]) == (200, 2, [kind], BOB)
    for other in {*ConfigKind} - {kind}:
        assert_lacks(call("PUT", f"/config/{other}", CHANGES[other], caller=BOB), f"config:{other}")
        both = (
            {str(other): CHANGES[other], str(kind): {}}
            if kind is not ConfigKind.POOLS
            else {str(other): CHANGES[other]}
        )
        answer = call("PUT", "/config", both, caller=BOB)
        assert_lacks(answer, f"config:{other}")
    assert version(call) == 2
    assert_lacks(call("PUT", "/budget", {"budget": {"ml.m5.large": 1}}, caller=BOB), "operate")


@pytest.mark.parametrize("verb", ["operate", "config:*", "config:callers"])
def test_operators_may_apply_every_kind_and_operate_the_queue(call: Call, verb: str) -> None:
    """The permission for callers is that of operators, since its holders may grant themselves any other."""
    grant(call, verb)
    everything = {str(kind): section for kind, section in CHANGES.items()}
    status, applied = call("PUT", "/config", everything, caller=BOB)
    assert (status, applied["changed"]) == (200, [*ConfigKind])
    assert call("PUT", "/budget", {"budget": {"ml.m5.large": 1}}, caller=BOB)[0] == 200
    assert "operate" in call("GET", "/whoami", caller=BOB)[1]["verbs"]


def test_the_permissions_of_whoami_name_the_kinds(call: Call) -> None:
    grant(call, "config:rules", "config:pools")
    assert call("GET", "/whoami", caller=BOB)[1]["verbs"] == ["config:pools", "config:rules", "submit"]


def test_a_whole_file_needs_permissions_only_for_what_it_changes(call: Call) -> None:
    configure(call, spending=CHANGES[ConfigKind.SPENDING])
    grant(call, "config:rules")
    file = {"spending": CHANGES[ConfigKind.SPENDING], "policy": {}, "rules": CHANGES[ConfigKind.RULES]}
    assert call("PUT", "/config", file, caller=BOB)[1]["changed"] == ["rules"]
    assert call("PUT", "/config", file, caller=BOB)[1]["version"] == 3


def test_a_rollback_needs_the_permission_for_each_kind_that_it_changes(call: Call) -> None:
    grant(call, "config:rules")
    call("PUT", "/config/rules", CHANGES[ConfigKind.RULES], caller=BOB)
    assert call("POST", "/config/rollback", caller=BOB, version="1")[1]["changed"] == ["rules"]
    configure(call, policy={"patience": "1m"})
    assert_lacks(call("POST", "/config/rollback", caller=BOB, version="2"), "config:policy")
    assert call("POST", "/config/rollback", caller=CYD, version="1")[0] == 403
    assert version(call) == 4


def test_to_replace_a_version_that_cannot_be_read_needs_every_permission(call: Call) -> None:
    """It may hold anything, such as other callers: a change of one section would make it unreadable."""
    grant(call, "config:rules")
    configure(call, callers=[an_entry("role/Nlp")])
    corrupt(2)
    assert_lacks(call("PUT", "/config/rules", CHANGES[ConfigKind.RULES], caller=BOB), _ALL_BUT_RULES)
    assert_lacks(call("PUT", "/config/rules", {}, caller=BOB), _ALL_BUT_RULES)
    assert call("POST", "/config/rollback", caller=BOB, version="1")[0] == 403
    assert call("GET", "/config/versions")[1]["versions"][0]["version"] == 2
    assert call("PUT", "/config/rules", CHANGES[ConfigKind.RULES], caller=ROOT)[1]["version"] == 3


def test_a_rollback_to_permissions_of_ones_own_is_refused(call: Call) -> None:
    grant(call, "operate")
    grant(call, "config:rules")
    assert_lacks(call("POST", "/config/rollback", caller=BOB, version="1"), "config:callers")


@pytest.mark.parametrize("verbs", [["submit"], ["submit", "config:rules"], ["submit", "control_own", "config:pools"]])
def test_no_operator_removes_their_own_access(call: Call, verbs: list[str]) -> None:
    grant(call, "operate")
    status, told = call("PUT", "/config/callers", [an_entry("role/Nlp", verbs=verbs)], caller=BOB)
    assert (status, told["error"], told["field"]) == (409, "locks_out", "callers")
    assert told["remedy"]
    status, told = call("PUT", "/config", {"callers": [an_entry("role/Vision")]}, caller=BOB)
    assert (status, told["error"]) == (409, "locks_out")
    assert version(call) == 1
    assert call("PUT", "/config/callers", [an_entry("role/Nlp", verbs=verbs)], caller=ROOT)[0] == 200
    assert call("PUT", "/config/callers", [an_entry("*")], caller=BOB)[0] == 403


def test_a_rollback_does_not_remove_ones_own_access_either(call: Call) -> None:
    configure(call, callers=[an_entry("*", name="all")])
    grant(call, "operate")
    assert call("POST", "/config/rollback", caller=BOB, version="1")[1]["error"] == "locks_out"
    assert version(call) == 2


def test_an_operator_of_the_stack_may_remove_every_entry_of_their_own(call: Call) -> None:
    assert call("PUT", "/config/callers", [an_entry("role/Nlp")], caller=ADA)[0] == 200
    assert call("PUT", "/config/callers", [an_entry("role/Nlp", name="nlp")], caller=ADA)[0] == 200


def test_callers_are_shown_only_to_those_who_may_apply_them(call: Call) -> None:
    grant(call, "config:rules")
    for query in ({}, {"version": "1"}):
        shown = call("GET", "/config", caller=BOB, **query)[1]["sections"]
        assert {*shown} == {*ConfigKind} - {ConfigKind.CALLERS}
        assert {*call("GET", "/config", caller=ROOT, **query)[1]["sections"]} == {*ConfigKind}
        assert_lacks(call("GET", "/config/callers", caller=BOB, **query), "config:callers")
    applied = call("PUT", "/config", {"rules": CHANGES[ConfigKind.RULES]}, caller=BOB)[1]
    assert "callers" not in applied["sections"]
    planned = call("POST", "/config/plan", {"rules": {}}, caller=BOB)[1]
    assert {*planned["before"]} == {*planned["after"]} == {"rules"}
    assert "callers" not in call("POST", "/config/rollback", caller=BOB, version="1")[1]["sections"]


def test_what_others_applied_can_be_seen_by_every_caller(call: Call) -> None:
    configure(call, rules=CHANGES[ConfigKind.RULES])
    assert call("GET", "/config/rules", caller=BOB)[1]["sections"]["rules"]["failing"]["launching"] == "open"
    assert [one["author"] for one in call("GET", "/config/versions", caller=BOB)[1]["versions"]] == [ROOT]
