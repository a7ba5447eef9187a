"""The view of capacity: budget, calendar, shortages and warm pools."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from page.crowd import KIND, Crowd
from page.test_views import obstacles
from sagequeue.contract.queue import Period, Pool, Shortage

OpenCrowd = Callable[[Crowd], Page]
POOL: Pool = {
    "name": "bert-sq-1",
    "job": "bert",
    "instances": {KIND: 2},
    "since": "2026-11-22T02:00:00Z",
    "until": "2099-11-22T02:00:00Z",
    "lent_to": None,
    "cost": 1.5,
    "fits": ["bert-next"],
    "match": {},
}
SHORTAGE: Shortage = {
    "instance_type": "ml.p5.48xlarge",
    "spot": True,
    "subnet": "subnet-1",
    "failures": 3,
    "failed_at": "2026-11-22T02:00:00Z",
    "next_try_at": "2099-11-22T02:10:00Z",
}
NIGHT: Period = {
    "begins": "2099-11-22T22:00:00Z",
    "budget": {KIND: 16},
    "excess": {KIND: "let_finish"},
    "windows": ["night"],
}
DAY: Period = {"begins": "2026-11-22T00:00:00Z", "budget": {KIND: 8}, "excess": {}, "windows": []}


def _capacity(page: Page) -> Page:
    page.get_by_role("link", name="Capacity").click()
    expect(page.get_by_role("heading", name="Budget")).to_be_visible()
    return page


def test_pools_shortages_and_the_calendar_are_shown(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(2)
    crowd.pools, crowd.shortages, crowd.periods = [POOL], [SHORTAGE], [DAY, NIGHT]
    page = _capacity(open_crowd(crowd))
    pool = page.get_by_role("row", name="bert-sq-1")
    for text in (f"2 × {KIND}", "$1.50", "bert-next"):
        expect(pool).to_contain_text(text)
    expect(page.get_by_role("row", name="ml.p5.48xlarge, spot")).to_contain_text("subnet-1")
    expect(page.get_by_role("row", name="night")).to_contain_text(f"16 × {KIND}")
    expect(page.get_by_role("row", name=f"{KIND} 8 8 0")).to_be_visible()
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)


def test_an_operators_budget_and_its_author_are_shown(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    ada = "arn:aws:sts::123456789012:assumed-role/Ops/ada"
    crowd.budget = {"calendar_rests": True, "changed_by": ada, "changed_at": "2026-11-22T02:00:00Z"}
    page = _capacity(open_crowd(crowd))
    expect(page.get_by_text("On hold: an operator has set a budget.")).to_be_visible()
    expect(page.get_by_role("region", name="Budget")).to_contain_text("last changed by Ops/ada at 2026-11-22")


def test_empty_sections_show_a_sentence(open_crowd: OpenCrowd) -> None:
    page = _capacity(open_crowd(Crowd(0)))
    expect(page.get_by_text("The budget does not change")).to_be_visible()
    expect(page.get_by_text("No known shortages.")).to_be_visible()
    expect(page.get_by_text("None.", exact=True)).to_be_visible()


def test_a_pool_shows_an_unknown_price_and_the_attempt_that_uses_it(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(1)
    crowd.pools = [POOL | {"cost": None, "lent_to": "next-sq-1"}]
    row = _capacity(open_crowd(crowd)).get_by_role("row", name="bert-sq-1")
    expect(row).to_contain_text("no known price")
    expect(row).to_contain_text("used by next-sq-1")
