"""Rules: refused submissions, warnings, plans of other rules, and findings."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import boto3
import pytest

from integration.functions.conftest import configure
from scheduler.core.reconciliation.unmanaged_job import Finding
from scheduler.errors.refusals import Violation
from scheduler.wiring import shared
from support.account.simulated_queue import request
from support.builders.callers import an_entry
from support.builders.jobs import NOON
from support.builders.rules import a_rule, rule_set

Call = Callable[..., tuple[int, dict[str, Any]]]

SMALL = rule_set(a_rule("instances_per_job", most=1), a_rule("network_isolation"))
WARNING = rule_set(a_rule("network_isolation", mode="warn"))


def test_a_submission_is_refused_with_every_violation(call: Call) -> None:
    configure(call, rules=SMALL)
    status, error = call("POST", "/add-job", request("wide", instances=2))
    assert (status, error["error"]) == (422, "rule_violated")
    assert [(one["rule"], one["field"]) for one in error["violations"]] == [
        ("instances-per-job", "ResourceConfig.InstanceCount"),
        ("network-isolation", "EnableNetworkIsolation"),
    ]
    assert call("GET", "/jobs")[1]["jobs"] == []


def test_a_warning_is_shown_with_the_job(call: Call) -> None:
    configure(call, rules=WARNING)
    status, job = call("POST", "/add-job", request("open"))
    assert status == 201
    assert [one["rule"] for one in job["warnings"]] == ["network-isolation"]


def test_a_plan_shows_the_changes_for_each_job_and_changes_nothing(call: Call) -> None:
    call("POST", "/add-job", request("wide", instances=2))
    call("POST", "/add-job", request("narrow"))
    status, trial = call("POST", "/config/rules/plan", rule_set(a_rule("instances_per_job", most=1)))
    assert status == 200
    assert (trial["checked"], trial["complete"]) == (2, True)
    ((job, before, after),) = [(job["name"], job["before"], job["after"]) for job in trial["jobs"]]
    assert (job, before) == ("wide", {"violations": [], "warnings": []})
    assert [one["rule"] for one in after["violations"]] == ["instances-per-job"]
    assert call("GET", "/config")[1]["version"] == 0


@pytest.mark.parametrize("body", [b"no zlib", None], ids=["broken", "in S3, which refuses"])
@pytest.mark.parametrize("kind", ["rules", "callers"])
def test_a_plan_passes_over_what_cannot_be_read_and_says_that_it_is_not_complete(
    call: Call, table: str, kind: str, body: bytes | None
) -> None:
    for name in ("spoilt", "readable"):
        call("POST", "/add-job", request(name))
    keep(table, "spoilt", {"body": {"B": body}} if body else {"body_key": {"S": "requests/spoilt"}})
    boto3.client("s3").delete_bucket(Bucket="bodies")
    section = {"rules": SMALL, "callers": [an_entry("role/Nobody")]}[kind]
    status, trial = call("POST", f"/config/{kind}/plan", section)
    assert (status, trial["checked"], trial["complete"]) == (200, 1, False)
    assert [job["name"] for job in trial["jobs"]] == ["readable"]


def test_a_request_that_s3_refuses_is_reported_as_such(call: Call, table: str) -> None:
    call("POST", "/add-job", request("large"))
    keep(table, "large", {"body_key": {"S": "requests/large"}})
    boto3.client("s3").delete_bucket(Bucket="bodies")
    for asked in (call("GET", "/jobs/large"), call("POST", "/jobs/large/update", {"options": {"priority": 5}})):
        assert (asked[0], asked[1]["error"]) == (503, "request_unavailable")


def keep(table: str, name: str, attributes: dict[str, Any]) -> None:
    item = {"pk": {"S": f"REQUEST#{name}"}, "sk": {"S": "0"}, **attributes}
    boto3.client("dynamodb").put_item(TableName=table, Item=item)


def test_findings_about_unmanaged_jobs_are_listed(call: Call) -> None:
    assert call("GET", "/findings") == (200, {"findings": []})
    violation = Violation("team-tag", "Tags", "The tag team is missing", "Add the tag team.")
    for hour in (0, 1):
        found = Finding(f"theirs-{hour}", NOON + timedelta(hours=hour), stopped=True, violations=(violation,))
        shared.unmanaged_job_store().record_finding(found)
    newest, _ = call("GET", "/findings")[1]["findings"]
    assert newest == {
        "name": "theirs-1",
        "created_at": "2026-11-21T13:00:00Z",
        "stopped": True,
        "violations": [violation.as_dict()],
    }
    assert call("GET", "/findings", limit="1") == (200, {"findings": [newest]})
    status, error = call("GET", "/findings", limit="0")
    assert (status, error["field"]) == (400, "limit")
