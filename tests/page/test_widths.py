"""Each view with long contents at three widths: nothing is clipped, nothing overflows."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from page.crowd import KIND, Crowd
from page.layout import WIDTHS, faults, set_width
from page.test_history_view import ended
from page.test_spending_view import MONTH, use
from page.test_teams_view import VISION
from page.test_views import obstacles
from unit.sagequeue.builders.costs import a_cost, a_job_cost
from unit.sagequeue.builders.jobs import a_job, an_attempt

OpenCrowd = Callable[[Crowd], Page]
WHY = "The limit of 12,000.00 dollars is used up: its jobs wait until December, or until an operator raises it"
LONG = "multilingual-translation-encoder-with-adapters-seed-42"
TELEPHONE = 390


def _busy() -> Crowd:
    crowd = Crowd(
        30, why="spending_limit", team="speech-recognition", owner="arn:aws:iam::123456789012:user/alexandra.von"
    )
    kinds = {"ml.p4d.24xlarge": 12, "ml.g5.12xlarge": 40}
    crowd.teams = {
        name: {**VISION, "running": kinds, "quota": kinds, "used_weighted_seconds": 4e7}
        for name in ("speech-recognition", "computer-vision")
    }
    uses = [use(f"research-{name}", 11_999.5, "used_up", most=12_000.0, reason=WHY) for name in ("moon", "mars")]
    crowd.spending = {"month": MONTH, "uses": uses, "left_out": 0}
    crowd.history = [ended(f"{LONG}-{number}", "completed", hours=90, team="speech-recognition") for number in range(4)]
    old = (datetime.now(UTC) - timedelta(hours=30)).isoformat()
    done = an_attempt(2, "failed", name=f"{LONG}-sq-2", failure_reason="AlgorithmError: " + "no space left " * 8)
    attempts = [an_attempt(1, "preempted", name=f"{LONG}-sq-1", beneficiary=LONG, cost=a_cost(1234.5)), done]
    crowd.jobs.append(a_job("failed", "failed", name=LONG, attempts=attempts, submitted_at=old))
    actions = [{"at": old, "kind": "preempted", "by": "queue", "message": f"preempted by {LONG}, which has priority 9"}]
    crowd.jobs.insert(0, a_job("preempted", name="stopped-for-another", attempts=attempts[:1], submitted_at=old))
    crowd.shown[LONG] = a_job(
        "failed", "failed", name=LONG, attempts=attempts, actions=actions, cost=a_job_cost(1234.5)
    )
    crowd.findings = [
        {
            "name": LONG,
            "created_at": old,
            "stopped": True,
            "violations": [
                {"rule": "max-runtime", "field": "StoppingCondition", "message": WHY, "remedy": "Ask an operator."}
            ],
        }
    ]
    crowd.periods = [
        {"begins": old, "budget": {KIND: 12, **kinds}, "excess": {KIND: "finish"}, "windows": [f"window-{number}"]}
        for number in range(3)
    ]
    crowd.shortages = [
        {
            "instance_type": "ml.p4d.24xlarge",
            "spot": True,
            "subnet": "subnet-0123456789abcdef0",
            "failures": 12,
            "failed_at": old,
            "next_try_at": old,
        }
    ]
    crowd.config.apply({"rules": {"rules": []}}, comment=WHY)
    return crowd


@pytest.mark.parametrize("width", WIDTHS)
def test_no_view_clips_or_overflows(open_crowd: OpenCrowd, width: int) -> None:
    page = open_crowd(_busy())
    set_width(page, width)
    beginning = page.url.partition("#")[0]
    found = {}
    for view in ("now", "capacity", "teams", "spending", "history", "guardrails", "configuration", f"job/{LONG}"):
        page.goto(f"{beginning}#/{view}")
        expect(page.locator("main :is(tbody th, .text-block)").first).to_be_visible()
        found[view] = faults(page) + [fault for scheme in ("light", "dark") for fault in obstacles(page, scheme)]
    assert found == {view: [] for view in found}


def test_on_a_telephone_lanes_are_collapsed_the_navigation_scrolls_and_each_job_is_a_card(
    open_crowd: OpenCrowd,
) -> None:
    crowd = _busy()
    page = open_crowd(crowd)
    set_width(page, TELEPHONE)
    page.reload()
    row = page.get_by_role("row", name="sweep-00001")
    row.scroll_into_view_if_needed()
    for text in ("sweep-00001", "pending", KIND, "because of spending_limit"):
        expect(row.get_by_text(text).first).to_be_in_viewport(ratio=0.99)
    expect(page.get_by_role("button", name="Show lanes")).to_have_attribute("aria-expanded", "false")
    assert page.locator(".lane-field").count() == 0
    page.get_by_role("button", name="Show lanes").click()
    expect(page.locator(".lane-field").first).to_be_visible()
    assert faults(page) == []
    page.get_by_role("link", name="Configuration").click()
    expect(page.get_by_role("link", name="Configuration")).to_be_in_viewport(ratio=0.99)
    expect(page.get_by_role("heading", name="In force")).to_be_visible()


def test_on_a_telephone_a_job_is_held_from_its_card(open_crowd: OpenCrowd) -> None:
    crowd = _busy()
    page = open_crowd(crowd)
    set_width(page, TELEPHONE)
    page.get_by_role("checkbox", name="Select sweep-00001").check()
    page.get_by_role("toolbar").get_by_role("button", name="Hold").click()
    expect(page.get_by_role("status").last).to_contain_text("sweep-00001 held")
    assert crowd.changes == ["/jobs/sweep-00001/hold"]
