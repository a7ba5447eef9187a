"""The view of the configuration: its sections, a planned change, problems at their lines, versions and rollback."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from page.config_fake import FakeConfig
from page.crowd import ANNA, KIND, Crowd
from page.test_views import obstacles

OpenCrowd = Callable[[Crowd], Page]
HTML = "<img src=x onerror=\"document.title='taken over'\">"
POLICY = {"ordering": "fifo", "patience": "5m"}
SHARES = {"vision": {"weight": 2, "members": ["*:assumed-role/Vision/*"]}}
NOTHING: dict[str, Any] = {"violations": [], "warnings": []}
REFUSED = {
    "violations": [{"rule": "a-day", "field": "priority", "message": "runs too long", "remedy": "Less."}],
    "warnings": [],
}


def _start(job: str) -> dict[str, Any]:
    return {"job": job, "decision": "start", "instance_type": "ml.g5.xlarge", "reason": f"{job} fits"}


def _crowd(**changes: Any) -> Crowd:
    crowd = Crowd(2, **changes)
    crowd.config = FakeConfig(policy=POLICY, shares=SHARES)
    return crowd


def _configuration(open_crowd: OpenCrowd, crowd: Crowd) -> Page:
    page = open_crowd(crowd)
    page.get_by_role("link", name="Configuration").click()
    expect(page.get_by_role("heading", name="In force")).to_be_visible()
    return page


def _edit(page: Page, what: str) -> Locator:
    page.get_by_role("button", name=what).click()
    return page.get_by_role("textbox", name="Text of")


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_the_sections_in_force_are_shown_as_yaml_with_their_version(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    page = _configuration(open_crowd, crowd)
    expect(page.get_by_text("version 1, by Ops/ada at 2026-11-22")).to_contain_text("the first one")
    expect(page.get_by_role("group", name="Section policy")).to_have_text("ordering: fifo\npatience: 5m\n")
    expect(page.get_by_role("region", name="shares")).to_contain_text("weight: 2")
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)


def test_without_a_version_the_defaults_are_named(open_crowd: OpenCrowd) -> None:
    page = _configuration(open_crowd, Crowd(0))
    expect(page.get_by_text("no operator has applied a configuration")).to_be_visible()
    expect(page.get_by_role("region", name="Versions")).to_contain_text("None.")


def test_a_change_is_planned_and_exactly_this_plan_is_applied(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    crowd.config.effect = {
        "warnings": ["calendar.windows[0] has ended"],
        "jobs": [{"name": "sweep-00001", "state": "pending", "before": NOTHING, "after": REFUSED}],
        "next_cycle": {"before": [_start("sweep-00000")], "after": [_start("sweep-00001")]},
    }
    page = _configuration(open_crowd, crowd)
    text = _edit(page, "Edit policy")
    expect(text).to_be_focused()
    text.fill("ordering: fifo\npatience: 10m\n")
    _press(page, "Plan")
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
    _press(page, "Apply")
    expect(page.get_by_text("Applied version 2 of the configuration")).to_be_visible()
    expect(page.get_by_text("version 2, by Ops/ada")).to_contain_text("more patience")
    expect(page.get_by_role("group", name="Section policy")).to_contain_text("patience: 10m")
    expect(editor).to_have_count(0)
    assert crowd.config.sections() == {"policy": {"ordering": "fifo", "patience": "10m"}, "shares": SHARES}


def test_only_a_plan_of_the_shown_text_can_be_applied(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    page = _configuration(open_crowd, crowd)
    text = _edit(page, "Edit policy")
    apply = page.get_by_role("button", name="Apply")
    expect(apply).to_have_accessible_name("Apply Plan the change first.")
    _press(page, "Plan")
    expect(apply).to_have_accessible_name("Apply The text changes nothing.")
    text.fill("patience: 9m\n")
    expect(apply).to_have_attribute("aria-disabled", "true")
    apply.click(force=True)
    expect(page.get_by_text("Plan the change first.").first).to_be_visible()
    assert crowd.config.newest == 1


def test_a_changed_text_is_not_lost_to_the_editor_of_another_section(open_crowd: OpenCrowd) -> None:
    page = _configuration(open_crowd, _crowd())
    text = _edit(page, "Edit policy")
    text.fill("patience: 9m\n")
    for other in ("Edit shares", "Edit as a file", "Edit policy"):
        page.get_by_role("button", name=other).click()
        told = page.get_by_role("status").filter(has_text="Apply or discard your change of policy first.")
        expect(told.first).to_be_visible()
        expect(text).to_have_value("patience: 9m\n")
    _press(page, "Discard")
    expect(_edit(page, "Edit shares")).to_have_value(_as_yaml_of_shares().replace("\n  ", "\n").removeprefix("  "))
    expect(_edit(page, "Edit policy")).to_have_value("ordering: fifo\npatience: 5m\n")


def test_a_plan_that_arrives_after_the_text_has_changed_does_not_count(open_crowd: OpenCrowd) -> None:
    page = _configuration(open_crowd, _crowd())
    text = _edit(page, "Edit policy")
    text.fill("patience: 9m\n")
    underway: list[Route] = []
    page.route("**/plan", lambda route: underway.append(route))
    with page.expect_request("**/plan"):
        _press(page, "Plan")
    expect(page.get_by_text("Waiting for the queue …")).to_be_visible()
    text.fill("patience: 8m\n")
    underway[0].continue_()
    expect(page.get_by_text("Waiting for the queue …")).to_have_count(0)
    expect(page.get_by_role("button", name="Apply")).to_have_accessible_name("Apply Plan the change first.")
    text.fill("patience: 9m\n")
    expect(page.get_by_text("Changes policy")).to_be_visible()


def test_each_problem_is_shown_at_its_line_and_its_button_goes_there(open_crowd: OpenCrowd) -> None:
    page = _configuration(open_crowd, _crowd())
    text = _edit(page, "Edit policy")
    text.fill("ordering: fifo\npatience: wrong\n\n\nusage_half_life: wrong\n")
    _press(page, "Plan")
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("alert")).to_contain_text("Line 5 policy is no value: correct line 5")
    expect(text).to_have_attribute("aria-invalid", "true")
    marks = page.locator(".at-line")
    expect(marks).to_contain_text(["patience: wrong", "usage_half_life: wrong"])
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    _press(page, "Line 5")
    expect(text).to_be_focused()
    assert text.evaluate("it => it.value.slice(it.selectionStart, it.selectionEnd)") == "usage_half_life: wrong"
    text.fill("patience: 9m\n")
    expect(marks).to_have_count(0)
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_count(0)


def test_a_version_that_another_operator_applied_is_told_and_planned_again(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    page = _configuration(open_crowd, crowd)
    _edit(page, "Edit policy").fill("patience: 9m\n")
    _press(page, "Plan")
    expect(page.get_by_text("Changes policy")).to_be_visible()
    crowd.config.apply({"shares": {}}, "meanwhile")
    _press(page, "Apply")
    refused = page.get_by_role("alert").filter(has_text="The current version of the configuration is 2, not 1")
    expect(refused).to_be_visible()
    expect(page.get_by_role("button", name="Apply")).to_have_attribute("aria-disabled", "true")
    _press(page, "Plan again")
    expect(page.get_by_text("Changes policy")).to_be_visible()
    _press(page, "Apply")
    expect(page.get_by_text("Applied version 3")).to_be_visible()
    assert crowd.config.sections() == {"policy": {"patience": "9m"}, "shares": {}}


def test_a_pasted_file_keeps_the_sections_that_it_leaves_out(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    page = _configuration(open_crowd, crowd)
    text = _edit(page, "Edit as a file")
    expect(text).to_have_value("policy:\n  ordering: fifo\n  patience: 5m\nshares:\n" + _as_yaml_of_shares())
    text.fill("notices:\n  owners: [idle]\npolicy: {ordering: fifo, patience: 5m}\n")
    _press(page, "Plan")
    expect(page.get_by_text("Changes notices; 0 jobs affected.")).to_be_visible()
    expect(page.get_by_role("group", name="Differences of notices")).to_contain_text("+- idle")
    expect(page.get_by_text("It would decide the same.")).to_be_visible()
    _press(page, "Apply")
    expect(page.get_by_role("region", name="notices")).to_be_visible()
    assert crowd.config.sections() == {"policy": POLICY, "shares": SHARES, "notices": {"owners": ["idle"]}}


def test_any_two_versions_are_compared(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    for minutes in (6, 7, 8, 9):
        crowd.config.apply({"policy": POLICY | {"patience": f"{minutes}m"}}, f"{minutes} minutes")
    page = _configuration(open_crowd, crowd)
    versions = page.get_by_role("region", name="Versions").locator("tbody tr")
    expect(versions).to_have_count(3)
    _press(page, "Older versions")
    expect(versions).to_have_count(5)
    expect(versions.first).to_contain_text("9 minutes")
    expect(page.get_by_role("button", name="Older versions")).to_have_count(0)
    difference = page.get_by_role("group", name="Differences of policy")
    expect(difference).to_contain_text("-patience: 8m\n+patience: 9m")
    page.get_by_label("from version").select_option("1")
    expect(difference).to_contain_text("-patience: 5m\n+patience: 9m")
    page.get_by_label("to version").select_option("1")
    expect(page.get_by_text("They have the same sections.")).to_be_visible()


def test_a_rollback_names_what_it_changes_and_applies_the_old_version_as_a_new_one(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    crowd.config.apply({"policy": {"ordering": "shortest"}}, "try another order")
    page = _configuration(open_crowd, crowd)
    roll_back = page.get_by_role("button", name="Roll back to version 1")
    roll_back.click()
    dialog = page.get_by_role("dialog", name="Roll back to version 1?")
    expect(dialog).to_contain_text("These sections will change: policy.")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert crowd.config.newest == 2
    roll_back.click()
    dialog.get_by_role("textbox", name="Comment").fill("slower than before")
    dialog.get_by_role("button", name="Roll back").click()
    expect(page.get_by_text("Applied version 1 again, as version 3")).to_be_visible()
    expect(page.get_by_role("row", name="3 ")).to_contain_text("slower than before")
    assert crowd.config.sections() == {"policy": POLICY, "shares": SHARES}


def test_a_rollback_of_an_outdated_window_is_refused_and_the_list_is_read_again(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    crowd.config.apply({"policy": {"ordering": "shortest"}}, "try another order")
    page = _configuration(open_crowd, crowd)
    page.get_by_role("button", name="Roll back to version 1").click()
    crowd.config.apply({"shares": {}}, "meanwhile")
    page.get_by_role("dialog").get_by_role("button", name="Roll back").click()
    expect(page.get_by_role("alert")).to_contain_text("The current version of the configuration is 3, not 2")
    expect(page.get_by_role("row", name="3 ")).to_contain_text("meanwhile")
    assert crowd.config.newest == 3


def test_a_configuration_that_cannot_be_read_is_replaced_by_a_file(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    page = open_crowd(crowd)
    unreadable = {"error": "QueueUnreachable", "message": "CONFIG cannot be read", "remedy": "Apply another one."}
    page.route("**/api/config", lambda route: route.fulfill(status=503, json=unreadable))
    page.get_by_role("link", name="Configuration").click()
    expect(page.get_by_role("alert").filter(has_text="CONFIG cannot be read")).to_be_visible()
    expect(page.get_by_role("region", name="Versions")).to_contain_text("the first one")
    text = _edit(page, "Edit as a file")
    expect(text).to_have_value("")
    text.fill("policy: {patience: 7m}\n")
    _press(page, "Plan")
    expect(page.get_by_text("Changes policy")).to_be_visible()
    page.unroute("**/api/config")  # once it is replaced
    _press(page, "Apply")
    expect(page.get_by_role("group", name="Section policy")).to_have_text("patience: 7m\n")
    expect(page.get_by_text("It cannot be read.")).to_have_count(0)


def test_sections_that_the_caller_may_not_change_have_grey_buttons_with_the_reason(open_crowd: OpenCrowd) -> None:
    page = _configuration(open_crowd, _crowd(verbs=["submit", "config:shares"]))
    policy = page.get_by_role("button", name="Edit policy")
    expect(policy).to_have_attribute("aria-disabled", "true")
    policy.click(force=True)
    expect(page.get_by_role("status").filter(has_text="config:policy")).to_be_visible()
    expect(page.get_by_role("textbox", name="Text of")).to_have_count(0)
    expect(_edit(page, "Edit shares")).to_be_focused()


def test_a_caller_who_may_change_no_section_sees_no_buttons_for_it(open_crowd: OpenCrowd) -> None:
    crowd = _crowd(verbs=["submit", "control_own"])
    crowd.config.apply({"policy": {}}, "meanwhile")
    page = _configuration(open_crowd, crowd)
    expect(page.get_by_role("row", name="the first one")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Edit|Roll back"))).to_have_count(0)


def test_the_fields_of_a_rule_are_shown_and_its_template_is_inserted_at_the_cursor(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    crowd.config = FakeConfig(rules={"rules": [{"kind": "max_runtime", "name": "a-day", "at_most": "1d"}]})
    page = _configuration(open_crowd, crowd)
    text = _edit(page, "Edit rules")
    text.press("Control+End")
    page.get_by_text("Fields of rules").click()
    page.get_by_role("combobox", name="Fields of").select_option("priority_ceiling")
    expect(page.get_by_role("row", name="at_most")).to_contain_text("required")
    expect(page.get_by_role("row", name="mode")).to_contain_text("enforce, warn, off")
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    _press(page, "Insert at the cursor")
    expect(text).to_have_value(re.compile(r"at_most: 1d\n- kind: priority_ceiling\n  name: …\n  at_most: 1\n$"))
    _press(page, "Plan")
    expect(page.get_by_role("group", name="Differences of rules")).to_contain_text("+- kind: priority_ceiling")


def test_the_calendar_is_a_strip_of_the_coming_week(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    crowd.config = FakeConfig(calendar={"windows": []})
    now = datetime.now(UTC)
    crowd.periods = [
        {"begins": (now + timedelta(hours=hours)).isoformat(), "budget": {KIND: count}, "excess": {}, "windows": names}
        for hours, count, names in ((-1, 4, []), (30, 12, ["nights"]), (40, 4, []))
    ]
    page = _configuration(open_crowd, crowd)
    strip = page.get_by_role("region", name="calendar").get_by_role("img")
    expect(strip).to_have_accessible_name(re.compile(rf"Budget of {KIND}: now 4, from \w+.* 12, from \w+.* 4$"))
    expect(strip).to_have_text("4124")
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    crowd.periods = crowd.periods[:1]
    page.reload()
    expect(page.get_by_text("does not change in the coming seven days")).to_be_visible()


def test_comments_and_sections_full_of_html_are_shown_as_they_are(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    crowd.config.apply({"rules": {HTML: HTML}}, HTML, author=f"{ANNA}{HTML}")
    crowd.config.apply({"rules": {HTML: 1}}, HTML)
    page = _configuration(open_crowd, crowd)
    expect(page.get_by_role("region", name="Versions")).to_contain_text(HTML)
    expect(page.get_by_role("group", name="Differences of rules")).to_contain_text(HTML)
    expect(page).to_have_title(re.compile("^Configuration.* – SageQueue$"))
    assert page.locator("main img").count() == 0


def test_other_views_lead_to_their_section(open_crowd: OpenCrowd) -> None:
    crowd = _crowd()
    crowd.config.apply({f"kind-{number}": {} for number in range(40)} | {"spending": {}}, "many")
    page = open_crowd(crowd)
    page.get_by_role("link", name="Spending").click()
    page.get_by_role("link", name="the configuration").click()
    expect(page.get_by_role("region", name="spending", exact=True)).to_be_in_viewport()


def _as_yaml_of_shares() -> str:
    return "  vision:\n    weight: 2\n    members:\n    - '*:assumed-role/Vision/*'\n"
