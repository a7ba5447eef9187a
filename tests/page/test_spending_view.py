"""The view of spending: monthly limits, their use, and the jobs that wait for them."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from page.crowd import Crowd
from page.test_views import obstacles

OpenCrowd = Callable[[Crowd], Page]
MONTH = {"name": "2026-11", "begins": "2026-11-01T00:00:00Z", "ends": "2026-12-01T00:00:00Z", "time_zone": "UTC"}


def use(limit: str, used: float | None, state: str, **more: Any) -> dict[str, Any]:
    known = {"running": 0.0, "forecast": 30.0} if used is not None else {"running": None, "forecast": None}
    of = {"kind": "tag", "scope": f"project={limit}", "measure": "dollars", "most": 20.0, "warn_at": 0.8}
    return {"limit": limit, "used": used, **of, **known, "then": "hold", "state": state, "reason": None, **more}


def _spending(open_crowd: OpenCrowd, crowd: Crowd) -> Page:
    page = open_crowd(crowd)
    page.get_by_role("link", name="Spending").click()
    expect(page.get_by_role("heading", name="Monthly limits")).to_be_visible()
    return page


def test_limits_are_shown_fullest_first_with_the_jobs_that_wait_for_them(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(2, why="spending_limit")
    uses = [
        use("low", 2.0, "ok", measure="gpu_hours"),
        use("moon", 20.0, "used_up", reason="moon has used its 20 dollars"),
        use("mars", 17.0, "near"),
    ]
    crowd.spending = {"month": MONTH, "uses": uses, "left_out": 0}
    page = _spending(open_crowd, crowd)
    limits = page.get_by_role("region", name="Monthly limits")
    expect(limits).to_contain_text("2026-11, until")
    expect(limits.locator("tbody th")).to_have_text(["moon", "mars", "low"])
    expect(limits.get_by_role("row", name="moon")).to_contain_text("$20.00$0.00$20.00$30.00used up")
    expect(limits.get_by_role("row", name="moon")).to_contain_text("moon has used its 20 dollars")
    expect(limits.get_by_role("row", name="low")).to_contain_text("2.0 GPU h")
    expect(page.get_by_role("region", name="Waiting for a limit").locator("tbody tr")).to_have_count(2)
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)


def test_unknown_amounts_are_shown_as_unknown(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    unknown = use("moon", None, "unknown", reason="no price is known of ml.p9.large")
    crowd.spending = {"month": MONTH, "uses": [unknown], "left_out": 0}
    row = _spending(open_crowd, crowd).get_by_role("row", name="moon")
    expect(row).to_contain_text("not known")
    expect(row).to_contain_text("no price is known of ml.p9.large")


def test_no_limits_are_a_plain_line(open_crowd: OpenCrowd) -> None:
    page = _spending(open_crowd, Crowd(0))
    expect(page.get_by_text("No spending limits are set")).to_be_visible()
    expect(page.get_by_text("None.")).to_be_visible()
