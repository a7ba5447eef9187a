"""The view of history: use of instance time and cost of ended jobs."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Page, expect

from page.crowd import Crowd
from page.test_views import obstacles
from sagequeue.contract.history import Change
from unit.sagequeue.builders.history import a_change, a_run

OpenCrowd = Callable[[Crowd], Page]


def ended(job: str, outcome: str, days_ago: float = 0.2, hours: float = 1, **more: Any) -> Change:
    end = datetime.now(UTC) - timedelta(days=days_ago)
    begin = end - timedelta(hours=hours)
    times = {"waited_since": begin - timedelta(minutes=30), "reserved_at": begin, "training_started_at": begin}
    told: dict[str, Any] = {name: at.isoformat() for name, at in {**times, "ended_at": end}.items()}
    told |= {"billable_seconds": round(hours * 3600)}
    told |= {"lost_seconds_at_most": hours * 3600 if outcome == "preempted" else 0.0}
    run = a_run(outcome=outcome, **told)
    return a_change(job, run=run, submitted_at=told["waited_since"], **more)


def _history(open_crowd: OpenCrowd, *changes: Change, prices: dict[str, Any] | None = None) -> Page:
    crowd = Crowd(0)
    crowd.history = list(changes)
    crowd.prices = crowd.prices if prices is None else prices
    page = open_crowd(crowd)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_text("of attempts that ended since")).to_be_visible()
    return page


def test_the_use_of_instance_time_is_shown_for_a_period_and_by_group(open_crowd: OpenCrowd) -> None:
    page = _history(
        open_crowd,
        ended("a", "completed", hours=4, tags={"project": "moon"}),
        ended("b", "idle", hours=2, team="vision"),
        ended("c", "preempted", days_ago=20, hours=10),
    )
    told = page.get_by_role("region", name="Use of instance time")
    expect(told).to_contain_text("completed4 h 67 %")
    expect(told).to_contain_text("2 attempts of 2 jobs cost $9.00")
    expect(told).to_contain_text("waited 30 min on average")
    page.get_by_label("Period").select_option("the last 30 days")
    expect(told).to_contain_text("preempted, lost at most10 h 63 %")
    groups = page.get_by_role("region", name="By")
    expect(groups.get_by_role("row", name="team/anna")).to_contain_text("330 min30 min16 h$24.00")
    page.get_by_label("Group by").select_option("tag project")
    expect(groups.get_by_role("row", name="moon")).to_contain_text("$6.00$0.00$0.00")
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)


def test_no_history_yet_is_a_plain_line(open_crowd: OpenCrowd) -> None:
    expect(_history(open_crowd).get_by_text("No attempt ended in this period.")).to_be_visible()


def test_unknown_prices_and_gaps_are_shown(open_crowd: OpenCrowd) -> None:
    page = _history(open_crowd, ended("a", "completed"), ended("b", "failed", version=4), prices={})
    expect(page.get_by_text("Costs leave out 2 runs without a known price")).to_be_visible()
    expect(page.get_by_text("The history lacks 4 changes to b.")).to_be_visible()
    expect(page.get_by_role("region", name="By").get_by_role("row", name="team/anna")).to_contain_text("???")
