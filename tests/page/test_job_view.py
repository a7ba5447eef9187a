"""The view of one job: cost and instances."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from page.crowd import Crowd
from sagequeue.contract.jobs import Job
from unit.sagequeue.builders.costs import a_cost, a_job_cost
from unit.sagequeue.builders.jobs import a_job, an_attempt

OpenCrowd = Callable[[Crowd], Page]


def _shown(open_crowd: OpenCrowd, job: Job) -> Page:
    crowd = Crowd(0)
    crowd.shown["resnet"] = job
    page = open_crowd(crowd)
    page.goto(f"{page.url.partition('#')[0]}#/job/resnet")
    return page


def test_the_cost_of_a_job_and_of_each_attempt_is_shown(open_crowd: OpenCrowd) -> None:
    lost = an_attempt(1, "preempted", billable_seconds=600, cost=a_cost(2.5, wasted_dollars_at_most=1.25))
    live = an_attempt(2, billable_seconds=None, cost=a_cost(0.5, final=False))
    cost = a_job_cost(3.0, wasted_dollars_at_most=1.25, saved_dollars=4.0, retained_dollars=0.75, final=False)
    page = _shown(open_crowd, a_job("running", "running", attempts=[lost, live], cost=cost, actions=[]))
    costs = page.get_by_role("region", name="Cost")
    for text in ("≤ $3.75", "prices of 2026-09-25", "10 min of each instance", "$0.75", "$4.00", "$1.25, lost"):
        expect(costs).to_contain_text(text)
    expect(page.get_by_role("row", name="resnet-sq-1")).to_contain_text("10 min$2.50")
    expect(page.get_by_role("row", name="resnet-sq-2")).to_contain_text("≤ $0.50")


def test_an_unknown_price_is_shown_as_unknown(open_crowd: OpenCrowd) -> None:
    cost = a_job_cost(0.0, unknown_types=["ml.g5.xlarge"], prices_as_of=None)
    attempt = an_attempt(1, "completed", billable_seconds=60, cost=None)
    page = _shown(open_crowd, a_job("completed", "completed", attempts=[attempt], cost=cost, actions=[]))
    expect(page.get_by_role("region", name="Cost")).to_contain_text("no known pricefor ml.g5.xlarge")
    expect(page.get_by_role("region", name="Cost")).not_to_contain_text("$")
    expect(page.get_by_role("row", name="resnet-sq-1")).to_contain_text("no known price")


def test_a_job_that_has_not_started_costs_nothing_yet_and_names_what_may_be_selected(open_crowd: OpenCrowd) -> None:
    kinds = ["ml.p5.48xlarge", "ml.p4d.24xlarge"]
    waits = a_job(instances=dict.fromkeys(kinds, 1), preferences=kinds, cost=a_job_cost(0.0), actions=[])
    page = _shown(open_crowd, waits)
    expect(page.get_by_text("1 × ml.p5.48xlarge or 1 × ml.p4d.24xlarge")).to_be_visible()
    expect(page.get_by_role("region", name="Cost")).to_have_count(0)
