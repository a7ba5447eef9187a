"""Calls on the configuration: show, plan, apply, list and roll back versions."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from integration.functions.conftest import ADA, ROOT, configure, corrupt
from scheduler.core.configuration.kinds import SCHEMAS
from scheduler.core.sections.schema import ConfigKind
from scheduler.wiring import shared
from support.account.simulated_queue import request
from support.builders.callers import an_entry
from support.builders.configurations import every_section
from support.builders.prices import prices
from support.builders.rules import a_rule, rule_set

Call = Callable[..., tuple[int, dict[str, Any]]]

FILE = """# the policy of this year
policy: {patience: 10m}
rules:
  rules:
  - {name: small, kind: instances_per_job, most: 1}
"""
SMALL = [{"name": "small", "kind": "instances_per_job", "most": 1}]


def test_at_first_every_section_has_its_defaults(call: Call) -> None:
    status, config = call("GET", "/config")
    assert (status, config["version"], config["author"], config["applied_at"]) == (200, 0, None, None)
    assert config["sections"] == {kind: schema.full_default for kind, schema in SCHEMAS.items()}
    assert call("GET", "/config/versions") == (200, {"versions": [], "next": None})


def test_the_shown_sections_can_be_applied_as_they_are(call: Call) -> None:
    shown = call("GET", "/config")[1]["sections"]
    assert call("PUT", "/config", shown)[1]["sections"] == shown


def test_a_file_is_applied_with_author_time_and_comment(call: Call) -> None:
    before = datetime.now(UTC)
    status, applied = call("PUT", "/config", FILE, comment="more patience ü")
    assert (status, applied["version"], applied["author"], applied["comment"]) == (200, 1, ADA, "more patience ü")
    assert applied["changed"] == ["rules", "policy"]
    assert before <= datetime.fromisoformat(applied["applied_at"]) <= datetime.now(UTC)
    assert (applied["sections"]["policy"]["patience"], applied["sections"]["rules"]["rules"]) == ("10m", SMALL)
    assert applied["sections"]["policy"]["ordering"] == "fifo"
    assert call("GET", "/config") == (200, applied)
    assert call("GET", "/config", version="1") == (200, applied)


def test_one_section_is_shown_and_applied_alone(call: Call) -> None:
    call("PUT", "/config", FILE)
    status, applied = call("PUT", "/config/policy", "patience: 1m")
    assert (status, applied["version"], applied["changed"]) == (200, 2, ["policy"])
    assert {*applied["sections"]} == {"policy"}
    assert call("GET", "/config/rules")[1]["sections"]["rules"]["rules"] == SMALL
    assert call("GET", "/config/policy", version="1")[1]["sections"]["policy"]["patience"] == "10m"


def test_a_lost_answer_is_had_again_by_the_same_call(call: Call) -> None:
    applied = call("PUT", "/config", FILE, replaces="0")
    assert call("PUT", "/config", FILE, replaces="0") == applied
    assert call("PUT", "/config", FILE) == applied


def test_two_operators_at_once_do_not_overwrite_each_other(call: Call) -> None:
    call("PUT", "/config", FILE, replaces="0")
    status, error = call("PUT", "/config", "policy: {patience: 1m}", caller=ROOT, replaces="0")
    assert (status, error["error"], error["field"]) == (409, "stale_config", "replaces")
    assert call("GET", "/config")[1]["version"] == 1
    assert call("PUT", "/config", "policy: {patience: 1m}", caller=ROOT, replaces="1")[1]["version"] == 2


def test_an_operator_who_writes_between_the_look_and_the_write_of_another_is_not_overwritten(call: Call) -> None:
    """Also without `replaces`: the write itself is conditional."""
    events, overtaking = shared.table().client.meta.events, [True]

    def overtake(**_: object) -> None:
        if overtaking:
            overtaking.clear()
            configure(call, policy={"patience": "1m"})

    events.register("before-call.dynamodb.PutItem", overtake)
    try:
        status, error = call("PUT", "/config", FILE)
    finally:
        events.unregister("before-call.dynamodb.PutItem", overtake)
    assert (status, error["error"]) == (409, "stale_config")
    assert call("GET", "/config")[1]["sections"]["policy"]["patience"] == "1m"
    assert call("PUT", "/config", FILE)[1]["version"] == 2


@pytest.mark.parametrize(
    ("method", "path", "query"), [("PUT", "/config", {}), ("POST", "/config/rollback", {"version": "1"})]
)
def test_a_change_is_one_write(call: Call, method: str, path: str, query: dict[str, str]) -> None:
    """So that no crash can leave a part of it."""
    configure(call, policy={"patience": "1m"}, notices={"owners": []})
    configure(call, policy={"patience": "2m"}, idle_gpus={"action": "off"})
    writes: list[str] = []

    def count(model: Any, **_: object) -> None:
        if model.name not in {"GetItem", "Query", "BatchGetItem"}:
            writes.append(model.name)

    events = shared.table().client.meta.events
    events.register("before-call.dynamodb", count)
    try:
        assert call(method, path, FILE if method == "PUT" else None, **query)[1]["version"] == 3
    finally:
        events.unregister("before-call.dynamodb", count)
    assert writes == ["PutItem"]


def test_one_mistake_refuses_the_whole_file_and_what_is_in_force_stays(call: Call) -> None:
    before = call("PUT", "/config", FILE)[1]
    status, error = call("PUT", "/config", FILE.replace("10m", "1m").replace("most: 1", "most: 0"))
    assert (status, error["error"], error["field"]) == (400, "bad_config", "rules.rules[0].most")
    assert error["problems"] == [{"line": 5, "field": "rules.rules[0].most", "message": "is 0: no job could run"}]
    assert error["message"].startswith("line 5: rules.rules[0].most ")
    assert error["remedy"] == "Correct the file and send it again. The current configuration has not changed."
    assert call("GET", "/config")[1] == before


def test_an_unknown_kind_or_key_is_refused_with_the_one_that_was_meant(call: Call) -> None:
    error = call("PUT", "/config", "polcy: {}\nrules: {rule: []}")[1]
    assert error["problems"] == [
        {"line": 1, "field": "polcy", "message": "is not a kind of settings; did you mean policy?"}
    ]
    error = call("PUT", "/config", "rules: {rule: []}")[1]
    assert error["problems"][0]["message"] == "is not a known member; did you mean rules?"


def test_an_empty_section_is_refused_with_what_to_write(call: Call) -> None:
    call("PUT", "/config", FILE)
    error = call("PUT", "/config", "policy:\n")[1]
    remedy = "is empty: leave it out to keep the current section, or write {} for its default"
    assert error["problems"] == [{"line": 1, "field": "policy", "message": remedy}]
    assert call("PUT", "/config", "policy: {}\n")[1]["sections"]["policy"]["patience"] == "5m"


def test_versions_are_listed_newest_first_page_by_page(call: Call) -> None:
    for patience in ("1m", "2m", "3m"):
        configure(call, policy={"patience": patience})
    call("PUT", "/config/rules", {"rules": SMALL}, comment="smaller")
    status, first = call("GET", "/config/versions", limit="2")
    assert (status, [one["version"] for one in first["versions"]], first["next"]) == (200, [4, 3], "3")
    assert first["versions"][0] == {
        "version": 4,
        "author": ADA,
        "applied_at": call("GET", "/config")[1]["applied_at"],
        "comment": "smaller",
        "changed": ["rules"],
    }
    second = call("GET", "/config/versions", limit="2", next=first["next"])[1]
    assert ([one["version"] for one in second["versions"]], second["next"]) == ([2, 1], None)


def test_the_versions_of_a_kind_are_those_that_changed_it(call: Call) -> None:
    call("PUT", "/config", FILE)
    configure(call, policy={"patience": "1m"})
    assert [one["version"] for one in call("GET", "/config/rules/versions")[1]["versions"]] == [1]
    assert [one["version"] for one in call("GET", "/config/policy/versions")[1]["versions"]] == [2, 1]
    assert call("GET", "/config/pools/versions")[1]["versions"] == []


def test_a_rollback_applies_an_older_version_again_as_a_new_one(call: Call) -> None:
    first = call("PUT", "/config", FILE)[1]
    configure(call, policy={"patience": "1m"}, idle_gpus={"action": "off"})
    status, back = call("POST", "/config/rollback", version="1", replaces="2", comment="it was too much")
    assert (status, back["version"], back["changed"]) == (200, 3, ["policy", "idle_gpus"])
    assert back["sections"] == first["sections"]
    assert call("POST", "/config/rollback", version="1", replaces="2", comment="it was too much")[1] == back
    assert call("POST", "/config/rollback", version="2", replaces="2")[1]["error"] == "stale_config"


@pytest.mark.parametrize("version", ["0", "2", "99999999"])
def test_a_version_that_is_gone_is_neither_shown_nor_applied(call: Call, version: str) -> None:
    call("PUT", "/config", FILE)
    for method, path in (("GET", "/config"), ("GET", "/config/rules"), ("POST", "/config/rollback")):
        status, error = call(method, path, version=version)
        assert (status, error["error"], error["field"]) == (404, "unknown_version", "version")
        assert error["remedy"]


def test_a_rollback_names_its_version(call: Call) -> None:
    status, error = call("POST", "/config/rollback")
    assert (status, error["error"], error["field"]) == (400, "invalid_request", "version")


def test_a_plan_shows_the_difference_and_the_affected_jobs_and_changes_nothing(call: Call) -> None:
    call("POST", "/add-job", request("wide", instances=2))
    call("POST", "/add-job", request("narrow"))
    configure(call, policy={"patience": "1m"})
    status, planned = call("POST", "/config/plan", FILE)
    assert (status, planned["version"], planned["changed"]) == (200, 1, ["rules", "policy"])
    assert (planned["before"]["policy"]["patience"], planned["after"]["policy"]["patience"]) == ("1m", "10m")
    assert (planned["before"]["rules"]["rules"], planned["after"]["rules"]["rules"]) == ([], SMALL)
    assert ([job["name"] for job in planned["jobs"]], planned["checked"], planned["complete"]) == (["wide"], 2, True)
    before, after = (
        {one["job"]: one["decision"] for one in planned["next_cycle"][time]} for time in ("before", "after")
    )
    assert before["wide"] == "start"
    assert (after["wide"], after["narrow"]) == ("park", "start")
    assert planned["you"]["principal"] == "role/Scientist"
    assert call("GET", "/config")[1]["version"] == 1
    assert call("PUT", "/config", FILE, replaces=str(planned["version"]))[1]["version"] == 2


def test_a_plan_shows_a_job_that_would_lose_an_alternative(call: Call) -> None:
    wider = {"request": {"ResourceConfig": {"InstanceCount": 2}}}
    call("POST", "/jobs", {"request": request("either"), "options": {"alternatives": [wider]}})
    call("POST", "/jobs", {"request": request("narrow")})
    planned = call("POST", "/config/plan", FILE)[1]
    assert ([job["name"] for job in planned["jobs"]], planned["checked"], planned["complete"]) == (["either"], 2, True)


def test_a_plan_shows_a_job_that_would_need_an_approval_at_other_prices(call: Call) -> None:
    configure(call, rules=rule_set(a_rule("approval", above_dollars=1000)))
    call("POST", "/add-job", request("resnet"))
    planned = call("POST", "/config/plan", {"prices": prices(ml_m5_large=5000)})[1]
    assert [job["name"] for job in planned["jobs"]] == ["resnet"]


def test_a_plan_of_nothing_new_says_so(call: Call) -> None:
    call("PUT", "/config", FILE)
    planned = call("POST", "/config/plan", FILE)[1]
    assert (planned["changed"], planned["before"], planned["after"], planned["jobs"]) == ([], {}, {}, [])
    assert planned["next_cycle"]["before"] == planned["next_cycle"]["after"]


def test_what_has_no_effect_any_more_is_a_warning(call: Call) -> None:
    window = {"name": "works", "begins": "2020-12-24", "ends": "2020-12-25", "budget": {"*": 0}}
    planned = call("POST", "/config/plan", {"calendar": {"windows": [window]}})[1]
    assert planned["warnings"] == ["calendar.windows[0] 'works' has passed; remove it"]
    assert call("PUT", "/config", {"calendar": {"windows": [window]}})[0] == 200


def test_a_window_below_the_quotas_is_a_warning_or_refused(call: Call) -> None:
    window = {"name": "works", "weekly": ["mon 08:00 - mon 09:00"], "budget": {"*": 0}}
    file = {"calendar": {"windows": [window]}, "shares": {"vision": {"members": ["*"], "quota": {"ml.m5.large": 1}}}}
    warning = "'works' leaves 0 × ml.m5.large, but all quotas are 1"
    assert call("POST", "/config/plan", file)[1]["warnings"] == [f"calendar.windows[0] {warning}"]
    strict = file | {"calendar": {"windows": [window], "below_quotas": "refuse"}}
    status, refused = call("POST", "/config/plan", strict)
    assert (status, warning in str(refused)) == (400, True)


def test_over_an_unreadable_version_the_one_before_stays_in_force_until_operators_apply_again(
    call: Call, schedule: Callable[[], None]
) -> None:
    call("PUT", "/config", FILE)
    configure(call, rules={"rules": []})
    corrupt(2)
    assert call("GET", "/config")[1]["version"] == 1
    assert call("POST", "/add-job", request("wide", instances=2))[1]["error"] == "rule_violated"
    call("POST", "/add-job", request("narrow"))
    schedule()
    assert call("GET", "/jobs/narrow")[1]["state"] == "running"
    assert call("GET", "/config", version="2")[1]["error"] == "unknown_version"
    assert [one["version"] for one in call("GET", "/config/versions")[1]["versions"]] == [2, 1]
    planned = call("POST", "/config/plan", FILE)[1]
    assert (planned["version"], planned["changed"]) == (2, [])
    assert planned["warnings"] == ["version 2 cannot be read, so version 1 applies; a new file replaces both"]
    status, applied = call("PUT", "/config", FILE)
    assert (status, applied["version"], applied["changed"]) == (200, 3, [])
    assert call("PUT", "/config", FILE)[1]["version"] == 3


def test_if_no_version_can_be_read_nothing_starts_and_operators_of_the_stack_can_still_apply(
    call: Call, schedule: Callable[[], None]
) -> None:
    bob = "arn:aws:sts::000000000000:assumed-role/Nlp/bob"
    call("POST", "/add-job", request("one"))
    configure(call, callers=[an_entry("*", verbs=["submit", "operate"])])
    corrupt(1, '{"callers": {}}')
    schedule()
    assert call("GET", "/jobs/one")[1]["state"] == "pending"
    assert call("GET", "/config")[1]["error"] == "unreadable_record"
    file = every_section(policy={"patience": "10m"})
    assert call("PUT", "/config", file, caller=bob)[1]["error"] == "unreadable_record"
    assert call("POST", "/jobs/one/hold", caller=bob)[1]["error"] == "unreadable_record"
    assert "Missing: callers, calendar" in call("PUT", "/config", FILE)[1]["problems"][0]["message"]
    assert call("POST", "/config/plan", file)[0] == 200
    status, applied = call("PUT", "/config", file)
    assert (status, applied["version"]) == (200, 2)
    schedule()
    assert call("GET", "/jobs/one")[1]["state"] == "running"


def test_the_author_of_a_budget_and_of_a_closed_intake_is_kept(call: Call) -> None:
    call("PUT", "/budget", {"budget": {"ml.m5.large": 1}})
    budget = call("GET", "/budget")[1]
    assert budget["changed_by"] == ADA
    assert datetime.fromisoformat(budget["changed_at"]) <= datetime.now(UTC)
    for path in ("/drain", "/resume"):
        call("POST", path, caller=ROOT)
        assert call("GET", "/budget")[1]["changed_by"] == ROOT


def test_the_largest_file_that_is_accepted_can_be_shown_and_planned(call: Call) -> None:
    tags = {f"key{number}": {"values": [f"value{value}" for value in range(350)]} for number in range(50)}
    section = {"rules": [{"name": "tags", "kind": "required_tags", "tags": tags}]}
    assert 150_000 < len(json.dumps(section)) < 256 * 1024
    status, applied = call("PUT", "/config/rules", section)
    assert status == 200, applied
    assert call("GET", "/config/rules")[1]["sections"]["rules"]["rules"][0]["tags"] == tags
    assert call("POST", "/config/plan", {str(ConfigKind.RULES): {}})[0] == 200
