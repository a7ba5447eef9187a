"""The view of the configuration: its sections, who may change them, and the coming budgets."""

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from page.config_fake import FakeConfig
from page.config_view import OpenCrowd, a_configured_crowd, edit, open_configuration
from page.crowd import ANNA, KIND, Crowd
from page.test_views import obstacles

HTML = "<img src=x onerror=\"document.title='taken over'\">"


def test_the_sections_in_force_are_shown_as_yaml_with_their_version(open_crowd: OpenCrowd) -> None:
    crowd = a_configured_crowd()
    page = open_configuration(open_crowd, crowd)
    expect(page.get_by_text("version 1, by Ops/ada at 2026-11-22")).to_contain_text("the first one")
    expect(page.get_by_role("group", name="Section policy")).to_have_text("ordering: fifo\npatience: 5m\n")
    expect(page.get_by_role("region", name="shares")).to_contain_text("weight: 2")
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)


def test_without_a_version_the_defaults_are_named(open_crowd: OpenCrowd) -> None:
    page = open_configuration(open_crowd, Crowd(0))
    expect(page.get_by_text("no operator has applied a configuration")).to_be_visible()
    expect(page.get_by_role("region", name="Versions")).to_contain_text("None.")


def test_sections_that_the_caller_may_not_change_have_grey_buttons_with_the_reason(open_crowd: OpenCrowd) -> None:
    page = open_configuration(open_crowd, a_configured_crowd(verbs=["submit", "config:shares"]))
    policy = page.get_by_role("button", name="Edit policy")
    expect(policy).to_have_attribute("aria-disabled", "true")
    policy.click(force=True)
    expect(page.get_by_role("status").filter(has_text="config:policy")).to_be_visible()
    expect(page.get_by_role("textbox", name="Text of")).to_have_count(0)
    expect(edit(page, "Edit shares")).to_be_focused()


def test_a_caller_who_may_change_no_section_sees_no_buttons_for_it(open_crowd: OpenCrowd) -> None:
    crowd = a_configured_crowd(verbs=["submit", "control_own"])
    crowd.config.apply({"policy": {}}, "meanwhile")
    page = open_configuration(open_crowd, crowd)
    expect(page.get_by_role("row", name="the first one")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Edit|Roll back"))).to_have_count(0)


def test_the_calendar_is_a_strip_of_the_coming_week(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    crowd.config = FakeConfig(calendar={"windows": []})
    now = datetime.now(UTC)
    crowd.periods = [
        {"begins": (now + timedelta(hours=hours)).isoformat(), "budget": {KIND: count}, "excess": {}, "windows": names}
        for hours, count, names in ((-1, 4, []), (30, 12, ["nights"]), (40, 4, []))
    ]
    page = open_configuration(open_crowd, crowd)
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
    page = open_configuration(open_crowd, crowd)
    expect(page.get_by_role("region", name="Versions")).to_contain_text(HTML)
    expect(page.get_by_role("group", name="Differences of rules")).to_contain_text(HTML)
    expect(page).to_have_title(re.compile("^Configuration.* – SageQueue$"))
    assert page.locator("main img").count() == 0


def test_other_views_lead_to_their_section(open_crowd: OpenCrowd) -> None:
    crowd = a_configured_crowd()
    crowd.config.apply({f"kind-{number}": {} for number in range(40)} | {"spending": {}}, "many")
    page = open_crowd(crowd)
    page.get_by_role("link", name="Spending").click()
    page.get_by_role("link", name="the configuration").click()
    expect(page.get_by_role("region", name="spending", exact=True)).to_be_in_viewport()
