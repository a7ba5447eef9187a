"""Versions in the view of the configuration: differences between them, and rollback."""

from playwright.sync_api import expect

from page.config_view import POLICY, SHARES, OpenCrowd, a_configured_crowd, open_configuration, press


def test_any_two_versions_are_compared(open_crowd: OpenCrowd) -> None:
    crowd = a_configured_crowd()
    for minutes in (6, 7, 8, 9):
        crowd.config.apply({"policy": POLICY | {"patience": f"{minutes}m"}}, f"{minutes} minutes")
    page = open_configuration(open_crowd, crowd)
    versions = page.get_by_role("region", name="Versions").locator("tbody tr")
    expect(versions).to_have_count(3)
    press(page, "Older versions")
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
    crowd = a_configured_crowd()
    crowd.config.apply({"policy": {"ordering": "shortest"}}, "try another order")
    page = open_configuration(open_crowd, crowd)
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
    crowd = a_configured_crowd()
    crowd.config.apply({"policy": {"ordering": "shortest"}}, "try another order")
    page = open_configuration(open_crowd, crowd)
    page.get_by_role("button", name="Roll back to version 1").click()
    crowd.config.apply({"shares": {}}, "meanwhile")
    page.get_by_role("dialog").get_by_role("button", name="Roll back").click()
    expect(page.get_by_role("alert")).to_contain_text("The current version of the configuration is 3, not 2")
    expect(page.get_by_role("row", name="3 ")).to_contain_text("meanwhile")
    assert crowd.config.newest == 3
