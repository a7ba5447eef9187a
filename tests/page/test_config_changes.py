"""Changes in the view of the configuration: a text, its plan, its problems at their lines, and its application."""

import re
from typing import Any

from playwright.sync_api import Route, expect

from page.config_fake import FakeConfig
from page.config_view import (
    POLICY,
    SHARES,
    OpenCrowd,
    a_configured_crowd,
    edit,
    open_configuration,
    press,
    shares_as_yaml,
)
from page.crowd import Crowd
from page.test_views import obstacles

NOTHING: dict[str, Any] = {"violations": [], "warnings": []}
REFUSED = {
    "violations": [{"rule": "a-day", "field": "priority", "message": "runs too long", "remedy": "Less."}],
    "warnings": [],
}


def _start(job: str) -> dict[str, Any]:
    return {"job": job, "decision": "start", "instance_type": "ml.g5.xlarge", "reason": f"{job} fits"}


def test_a_change_is_planned_and_exactly_this_plan_is_applied(open_crowd: OpenCrowd) -> None:
    crowd = a_configured_crowd()
    crowd.config.effect = {
        "warnings": ["calendar.windows[0] has ended"],
        "jobs": [{"name": "sweep-00001", "state": "pending", "before": NOTHING, "after": REFUSED}],
        "next_cycle": {"before": [_start("sweep-00000")], "after": [_start("sweep-00001")]},
    }
    page = open_configuration(open_crowd, crowd)
    text = edit(page, "Edit policy")
    expect(text).to_be_focused()
    text.fill("ordering: fifo\npatience: 10m\n")
    press(page, "Plan")
    editor = page.get_by_role("region", name="Edit policy")
    expect(editor.get_by_role("status")).to_have_text("Changes policy; 1 job affected.")
    difference = editor.get_by_role("group", name="Differences of policy")
    expect(difference).to_have_text(" ordering: fifo\n-patience: 5m\n+patience: 10m\n")
    expect(editor).to_contain_text("calendar.windows[0] has ended")
    expect(editor.get_by_role("row", name="sweep-00001 pending allowed refused")).to_contain_text("runs too long")
    expect(editor.get_by_role("row", name="sweep-00000 start on ml.g5.xlarge nothing")).to_be_visible()
    expect(editor.get_by_role("row", name="sweep-00001 nothing start on ml.g5.xlarge")).to_be_visible()
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    page.get_by_role("textbox", name="Comment").fill("more patience")
    press(page, "Apply")
    expect(page.get_by_text("Applied version 2 of the configuration")).to_be_visible()
    expect(page.get_by_text("version 2, by Ops/ada")).to_contain_text("more patience")
    expect(page.get_by_role("group", name="Section policy")).to_contain_text("patience: 10m")
    expect(editor).to_have_count(0)
    assert crowd.config.sections() == {"policy": {"ordering": "fifo", "patience": "10m"}, "shares": SHARES}


def test_an_unapplied_text_stays_while_other_views_are_shown(open_crowd: OpenCrowd) -> None:
    page = open_configuration(open_crowd, a_configured_crowd())
    edit(page, "Edit policy").fill("patience: 9m\n")
    page.get_by_role("link", name="Capacity").click()
    expect(page).to_have_url(re.compile("#/capacity$"))
    page.get_by_role("link", name="Configuration").click()
    editor = page.get_by_role("region", name="Edit policy")
    expect(editor.get_by_role("textbox", name="Text of policy")).to_have_value("patience: 9m\n")
    press(page, "Discard")
    page.get_by_role("link", name="Capacity").click()
    expect(page).to_have_url(re.compile("#/capacity$"))
    page.get_by_role("link", name="Configuration").click()
    expect(page.get_by_role("button", name="Edit policy")).to_be_visible()
    expect(editor).to_have_count(0)


def test_only_a_plan_of_the_shown_text_can_be_applied(open_crowd: OpenCrowd) -> None:
    crowd = a_configured_crowd()
    page = open_configuration(open_crowd, crowd)
    text = edit(page, "Edit policy")
    apply = page.get_by_role("button", name="Apply")
    expect(apply).to_have_accessible_name("Apply Plan the change first.")
    press(page, "Plan")
    expect(apply).to_have_accessible_name("Apply The text changes nothing.")
    text.fill("patience: 9m\n")
    expect(apply).to_have_attribute("aria-disabled", "true")
    apply.click(force=True)
    expect(page.get_by_text("Plan the change first.").first).to_be_visible()
    assert crowd.config.newest == 1


def test_a_changed_text_is_not_lost_to_the_editor_of_another_section(open_crowd: OpenCrowd) -> None:
    page = open_configuration(open_crowd, a_configured_crowd())
    text = edit(page, "Edit policy")
    text.fill("patience: 9m\n")
    for other in ("Edit shares", "Edit as a file", "Edit policy"):
        page.get_by_role("button", name=other).click()
        told = page.get_by_role("status").filter(has_text="Apply or discard your change to policy first.")
        expect(told.first).to_be_visible()
        expect(text).to_have_value("patience: 9m\n")
    press(page, "Discard")
    expect(edit(page, "Edit shares")).to_have_value(shares_as_yaml().replace("\n  ", "\n").removeprefix("  "))
    expect(edit(page, "Edit policy")).to_have_value("ordering: fifo\npatience: 5m\n")


def test_a_plan_that_arrives_after_the_text_has_changed_does_not_count(open_crowd: OpenCrowd) -> None:
    page = open_configuration(open_crowd, a_configured_crowd())
    text = edit(page, "Edit policy")
    text.fill("patience: 9m\n")
    underway: list[Route] = []
    page.route("**/plan", lambda route: underway.append(route))
    with page.expect_request("**/plan"):
        press(page, "Plan")
    expect(page.get_by_text("Waiting for the queue …")).to_be_visible()
    text.fill("patience: 8m\n")
    underway[0].continue_()
    expect(page.get_by_text("Waiting for the queue …")).to_have_count(0)
    expect(page.get_by_role("button", name="Apply")).to_have_accessible_name("Apply Plan the change first.")
    text.fill("patience: 9m\n")
    expect(page.get_by_text("Changes policy")).to_be_visible()


def test_each_problem_is_shown_at_its_line_and_its_button_goes_there(open_crowd: OpenCrowd) -> None:
    page = open_configuration(open_crowd, a_configured_crowd())
    text = edit(page, "Edit policy")
    text.fill("ordering: fifo\npatience: wrong\n\n\nusage_half_life: wrong\n")
    press(page, "Plan")
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("alert")).to_contain_text("Line 5 policy is no value: correct line 5")
    expect(text).to_have_attribute("aria-invalid", "true")
    marks = page.locator(".at-line")
    expect(marks).to_contain_text(["patience: wrong", "usage_half_life: wrong"])
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    press(page, "Line 5")
    expect(text).to_be_focused()
    assert text.evaluate("it => it.value.slice(it.selectionStart, it.selectionEnd)") == "usage_half_life: wrong"
    text.fill("patience: 9m\n")
    expect(marks).to_have_count(0)
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_count(0)


def test_a_version_that_another_operator_applied_is_told_and_planned_again(open_crowd: OpenCrowd) -> None:
    crowd = a_configured_crowd()
    page = open_configuration(open_crowd, crowd)
    edit(page, "Edit policy").fill("patience: 9m\n")
    press(page, "Plan")
    expect(page.get_by_text("Changes policy")).to_be_visible()
    crowd.config.apply({"shares": {}}, "meanwhile")
    press(page, "Apply")
    refused = page.get_by_role("alert").filter(has_text="The current version of the configuration is 2, not 1")
    expect(refused).to_be_visible()
    expect(page.get_by_role("button", name="Apply")).to_have_attribute("aria-disabled", "true")
    press(page, "Plan again")
    expect(page.get_by_text("Changes policy")).to_be_visible()
    press(page, "Apply")
    expect(page.get_by_text("Applied version 3")).to_be_visible()
    assert crowd.config.sections() == {"policy": {"patience": "9m"}, "shares": {}}


def test_a_pasted_file_keeps_the_sections_that_it_leaves_out(open_crowd: OpenCrowd) -> None:
    crowd = a_configured_crowd()
    page = open_configuration(open_crowd, crowd)
    text = edit(page, "Edit as a file")
    expect(text).to_have_value("policy:\n  ordering: fifo\n  patience: 5m\nshares:\n" + shares_as_yaml())
    text.fill("notices:\n  owners: [idle]\npolicy: {ordering: fifo, patience: 5m}\n")
    press(page, "Plan")
    expect(page.get_by_text("Changes notices; 0 jobs affected.")).to_be_visible()
    expect(page.get_by_role("group", name="Differences of notices")).to_contain_text("+- idle")
    expect(page.get_by_text("It would decide the same.")).to_be_visible()
    press(page, "Apply")
    expect(page.get_by_role("region", name="notices")).to_be_visible()
    assert crowd.config.sections() == {"policy": POLICY, "shares": SHARES, "notices": {"owners": ["idle"]}}


def test_a_configuration_that_cannot_be_read_is_replaced_by_a_file(open_crowd: OpenCrowd) -> None:
    crowd = a_configured_crowd()
    page = open_crowd(crowd)
    unreadable = {"error": "QueueUnreachable", "message": "CONFIG cannot be read", "remedy": "Apply another one."}
    page.route("**/api/config", lambda route: route.fulfill(status=503, json=unreadable))
    page.get_by_role("link", name="Configuration").click()
    expect(page.get_by_role("alert").filter(has_text="CONFIG cannot be read")).to_be_visible()
    expect(page.get_by_role("region", name="Versions")).to_contain_text("the first one")
    text = edit(page, "Edit as a file")
    expect(text).to_have_value("")
    text.fill("policy: {patience: 7m}\n")
    press(page, "Plan")
    expect(page.get_by_text("Changes policy")).to_be_visible()
    page.unroute("**/api/config")  # once it is replaced
    press(page, "Apply")
    expect(page.get_by_role("group", name="Section policy")).to_have_text("patience: 7m\n")
    expect(page.get_by_text("It cannot be read.")).to_have_count(0)


def test_the_fields_of_a_rule_are_shown_and_its_template_is_inserted_at_the_cursor(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    crowd.config = FakeConfig(rules={"rules": [{"kind": "max_runtime", "name": "a-day", "at_most": "1d"}]})
    page = open_configuration(open_crowd, crowd)
    text = edit(page, "Edit rules")
    text.press("Control+End")
    page.get_by_text("Fields of rules").click()
    page.get_by_role("combobox", name="Fields of").select_option("priority_ceiling")
    expect(page.get_by_role("row", name="at_most")).to_contain_text("required")
    expect(page.get_by_role("row", name="mode")).to_contain_text("enforce, warn, off")
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    press(page, "Insert at the cursor")
    expect(text).to_have_value(re.compile(r"at_most: 1d\n- kind: priority_ceiling\n  name: …\n  at_most: 1\n$"))
    press(page, "Plan")
    expect(page.get_by_role("group", name="Differences of rules")).to_contain_text("+- kind: priority_ceiling")
