"""A set of rules: modes, scopes, exemptions, and rules that raise an error."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scheduler.core.guardrails.kinds.defaults import AppendTags
from scheduler.core.guardrails.rules import Breach, Default, OnFailure, Rule, Rules
from scheduler.core.guardrails.subject import JobPattern, Subject
from support.builders.rules import TODAY, a_rule, a_subject, check, the_rules

FOR_A_MONTH = {"owner": "head of vision", "reason": "a paper is due", "expires_at": "2026-12-21"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken(Rule):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        yield Breach("RoleArn", f"half a breach on {subject.name}", "none")
        raise LookupError("s3cret")


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenDefault(AppendTags):
    def defaults(self, subject: Subject) -> Iterator[Default]:
        yield from AppendTags.defaults(self, subject)
        raise LookupError("s3cret")


def names(verdict_part: tuple[Any, ...]) -> list[str]:
    return [violation.rule for violation in verdict_part]


def test_all_violations_are_reported_at_once() -> None:
    rules = the_rules(a_rule("network_isolation"), a_rule("vpc"), a_rule("traffic_encryption", mode="warn"))
    verdict = check(rules, a_subject())
    assert names(verdict.enforced) == ["network-isolation", "vpc"]
    assert names(verdict.warnings) == ["traffic-encryption"]


def test_a_rule_that_is_off_has_no_violations() -> None:
    rules = the_rules(a_rule("vpc", mode="off"))
    assert not check(rules, a_subject()).enforced


def test_an_owner_pattern_does_not_match_session_names() -> None:
    vision = JobPattern(owner="*:assumed-role/Vision*")
    assert vision.matches(a_subject(owner="arn:aws:sts::123456789012:assumed-role/Vision/ada"))
    assert not JobPattern(owner="*ada").matches(a_subject(owner="arn:aws:sts::123456789012:assumed-role/Vision/ada"))


@pytest.mark.parametrize(
    ("scope", "is_meant"),
    [
        ({}, True),
        ({"owner": "a*"}, True),
        ({"owner": "bob"}, False),
        ({"team": "vision", "name": "res*"}, True),
        ({"team": "vision", "name": "bert*"}, False),
        ({"tags": {"stage": "prod*"}}, True),
        ({"tags": {"stage": "test"}}, False),
        ({"tags": {"absent": "*"}}, False),
        ({"instance_type": "ml.g5.*"}, True),
        ({"instance_type": "ml.m5.*"}, False),
        ({"remote_debug": True}, True),
        ({"remote_debug": False}, False),
    ],
)
def test_a_rule_applies_to_jobs_that_match_its_pattern(scope: dict[str, Any], is_meant: bool) -> None:
    request = {
        "Tags": [{"Key": "stage", "Value": "production"}],
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1},
        "RemoteDebugConfig": {"EnableRemoteDebug": True},
    }
    verdict = check(the_rules(a_rule("vpc", applies_to=scope)), a_subject(request))
    assert bool(verdict.enforced) == is_meant


def test_a_job_without_the_member_allows_no_remote_debugging() -> None:
    assert JobPattern(remote_debug=False).matches(a_subject({"RemoteDebugConfig": None}))
    assert not JobPattern(remote_debug=True).matches(a_subject())


def test_a_rule_for_remote_debugging_covers_every_member_that_opens_a_shell() -> None:
    assert JobPattern(remote_debug=True).matches(a_subject({"Environment": {"SSH_SSM_ROLE": "SSHHelper"}}))


def test_an_exemption_covers_its_jobs_until_it_expires() -> None:
    rules = the_rules(a_rule("vpc"), exemptions=[{"rules": ["vpc"], "jobs": {"name": "res*"}, **FOR_A_MONTH}])
    assert not rules.check(a_subject(), TODAY).enforced
    assert rules.check(a_subject(name="bert"), TODAY).enforced
    end = datetime(2026, 12, 22, tzinfo=UTC)  # of the last day
    assert not rules.check(a_subject(), end - timedelta(seconds=1)).enforced
    assert rules.check(a_subject(), end).enforced


def test_an_exemption_covers_only_the_rules_that_it_names() -> None:
    rules = the_rules(
        a_rule("vpc"),
        a_rule("network_isolation"),
        exemptions=[{"rules": ["vpc"], "jobs": {"owner": "ada"}, **FOR_A_MONTH}],
    )
    assert names(check(rules, a_subject()).enforced) == ["network-isolation"]


def test_a_failing_rule_does_not_stop_other_rules_and_its_error_is_not_quoted() -> None:
    rules = Rules(rules=(Broken(name="broken"), *the_rules(a_rule("vpc")).rules))
    verdict = check(rules, a_subject())
    assert names(verdict.enforced) == ["broken", "vpc"]
    assert verdict.failed_rules == ("broken",)
    assert "s3cret" not in verdict.enforced[0].message


def test_a_failing_rule_counts_as_configured() -> None:
    verdict = check(Rules(rules=(Broken(name="broken"),)), a_subject())
    assert names(verdict.violations(OnFailure.CLOSED)) == ["broken"]
    assert names(verdict.violations(OnFailure.OPEN)) == []


def test_by_default_a_failing_rule_blocks_launches_and_stops_no_job() -> None:
    failing = the_rules().failing
    assert (failing.launching, failing.stopping) == (OnFailure.CLOSED, OnFailure.OPEN)
    chosen = the_rules(failing={"launching": "open"}).failing
    assert chosen == replace(failing, launching=OnFailure.OPEN)


def test_a_failing_default_leaves_the_other_defaults_and_its_error_is_not_quoted() -> None:
    tags = the_rules(a_rule("append_tags", tags={"cost": "4711"})).rules
    rules = Rules(rules=(BrokenDefault(name="broken", tags={"a": "1"}), *tags))
    completed, notes = rules.completed(a_subject({"Tags": []}), TODAY)
    assert completed["Tags"] == [{"Key": "cost", "Value": "4711"}]
    assert [(note.field, note.broken) for note in notes] == [("", True), ("Tags", False)]
    assert "s3cret" not in notes[0].message
