"""Five tasks of a team take at most three actions each."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Locator, Page, expect

from page.crowd import ANNA, KIND, Crowd
from page.test_history_view import ended
from unit.sagequeue.builders.jobs import a_job, an_attempt

OpenCrowd = Callable[[Crowd], Page]
BOB = "arn:aws:iam::123456789012:user/bob"
MOST = 3


class Hand:
    """Acts on a page, and refuses a fourth action. A click, a choice, or a filled field is one."""

    def __init__(self) -> None:
        self._taken = 0

    def click(self, target: Locator) -> None:
        self._take()
        target.click()

    def choose(self, field: Locator, option: str) -> None:
        self._take()
        field.select_option(option)

    def fill(self, field: Locator, text: str) -> None:
        self._take()
        field.fill(text)

    def _take(self) -> None:
        self._taken += 1
        assert self._taken <= MOST


def _row(page: Page, name: str) -> Locator:
    return page.get_by_role("row", name=name)


def test_who_holds_my_instances(open_crowd: OpenCrowd) -> None:
    crowd, hand = Crowd(40), Hand()
    crowd.jobs[3]["owner"] = BOB
    page = open_crowd(crowd)
    hand.choose(page.get_by_label("Show"), "running")
    expect(page.locator("tbody tr[data-row]")).to_have_count(8)
    expect(_row(page, "run-3")).to_contain_text(f"1 × {KIND}")
    expect(_row(page, "run-3")).to_contain_text("bob")


def test_when_will_mine_start(open_crowd: OpenCrowd) -> None:
    crowd, hand = Crowd(40, owner=BOB), Hand()
    crowd.jobs[30]["owner"] = ANNA
    soon = datetime.now(UTC) + timedelta(minutes=30)
    crowd.starts = {"earliest": soon.isoformat(), "latest": soon.isoformat(), "after": "run-0"}
    page = open_crowd(crowd)
    hand.click(page.get_by_role("checkbox", name="mine"))
    expect(page.locator("tbody tr[data-row]")).to_have_count(1)
    expect(_row(page, "sweep-00022")).to_contain_text(re.compile("in (29|30) min"))


def test_stop_all_sweeps_of_a_team(open_crowd: OpenCrowd) -> None:
    crowd, hand = Crowd(300), Hand()
    for job in crowd.jobs[:4] + crowd.jobs[20:260]:
        job["team"] = "vision"
    page = open_crowd(crowd)
    hand.fill(page.get_by_role("searchbox", name="Name begins with"), "team:vision sweep-")
    expect(_row(page, "sweep-00012")).to_be_visible()
    expect(_row(page, "run-0")).to_have_count(0)
    hand.click(page.get_by_role("toolbar").get_by_role("button", name="Cancel…"))
    hand.click(page.get_by_role("dialog").get_by_role("button", name="Cancel 240 jobs"))
    expect(page.get_by_role("status").filter(has_text="240 jobs cancelled")).to_be_visible()
    assert crowd.changes == [f"/jobs/sweep-{number:05}/cancel" for number in range(12, 252)]


def test_why_did_it_fail(open_crowd: OpenCrowd) -> None:
    crowd, hand = Crowd(40), Hand()
    why = {"code": "failed", "message": "AlgorithmError: no space left on device"}
    attempt = an_attempt(1, "failed", name="bert-sq-1", failure_reason=why["message"])
    failed = a_job("failed", "failed", name="bert", attempts=[attempt], reason=why, actions=[])
    crowd.jobs.append(failed)
    crowd.shown["bert"] = failed
    page = open_crowd(crowd)
    hand.choose(page.get_by_label("Show"), "ended")
    expect(_row(page, "bert")).to_contain_text("no space left on device")
    hand.click(page.get_by_role("link", name="bert", exact=True))
    expect(page.get_by_role("region", name="Why it failed")).to_contain_text("no space left on device")


def test_how_much_did_we_spend(open_crowd: OpenCrowd) -> None:
    crowd, hand = Crowd(0), Hand()
    crowd.history = [ended(f"job-{number}", "completed", hours=10, team="vision") for number in range(3)]
    page = open_crowd(crowd)
    hand.click(page.get_by_role("link", name="History"))
    hand.choose(page.get_by_label("Group by"), "team")
    expect(_row(page, "vision")).to_contain_text("$")
