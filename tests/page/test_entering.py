"""The link opens the page once, for one browser and all its tabs."""

from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from page.crowd import Crowd

OpenCrowd = Callable[[Crowd], Page]


def test_another_tab_of_the_browser_needs_no_link_and_there_is_no_cookie(open_crowd: OpenCrowd) -> None:
    page = open_crowd(Crowd(1))
    tab = page.context.new_page()
    tab.goto(page.url)
    expect(tab.get_by_role("row", name="sweep-00000")).to_be_visible()
    assert page.context.cookies() == []


def test_another_browser_sees_a_remedy_and_nothing_of_the_queue(open_crowd: OpenCrowd, browser: Browser) -> None:
    page = open_crowd(Crowd(1))
    stranger = browser.new_page()
    stranger.goto(page.url.partition("#")[0] + "#link=guess")
    expect(stranger.get_by_role("alert")).to_contain_text("has not opened the link")
    expect(stranger.get_by_role("alert")).to_have_count(1)
    expect(stranger.get_by_role("row")).to_have_count(0)
    stranger.close()
