"""Opens the view of the configuration, and its editors."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from page.config_fake import FakeConfig
from page.crowd import Crowd

OpenCrowd = Callable[[Crowd], Page]
POLICY = {"ordering": "fifo", "patience": "5m"}
SHARES = {"vision": {"weight": 2, "members": ["*:assumed-role/Vision/*"]}}


def a_configured_crowd(**changes: Any) -> Crowd:
    crowd = Crowd(2, **changes)
    crowd.config = FakeConfig(policy=POLICY, shares=SHARES)
    return crowd


def open_configuration(open_crowd: OpenCrowd, crowd: Crowd) -> Page:
    page = open_crowd(crowd)
    page.get_by_role("link", name="Configuration").click()
    expect(page.get_by_role("heading", name="In force")).to_be_visible()
    return page


def edit(page: Page, what: str) -> Locator:
    page.get_by_role("button", name=what).click()
    return page.get_by_role("textbox", name="Text of")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def shares_as_yaml() -> str:
    return "  vision:\n    weight: 2\n    members:\n    - '*:assumed-role/Vision/*'\n"
