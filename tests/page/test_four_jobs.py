"""The four-job scenario on two instances, controlled from the page only."""

import re

from playwright.sync_api import Locator, Page, expect

from page.conftest import OpenPage
from sagequeue import QueueClient
from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi

LONG = "for step in $(seq 1 900); do echo step $step of 900, loss 0.$((99999 - step * 73)); sleep 1; done"
RULES = "rules: [{name: calm, kind: priority_ceiling, at_most: 5}]"


def test_the_scenario_happens_on_the_page_and_is_steered_from_there(
    open_page: OpenPage, rest_api: RestApi, queue: QueueClient
) -> None:
    page = open_page()
    submit(rest_api, "job1", priority=1)
    submit(rest_api, "job2", priority=2)
    expect_states(page, job1="running", job2="running")
    submit(rest_api, "job3", priority=1)
    expect(row(page, "job3")).to_contain_text("needs 1 × ml.m5.large")
    expect(row(page, "job3")).to_contain_text(re.compile(r"in \d+ min"))  # when it may start
    expect(lane(page, "job3 in .*: reserved")).to_be_visible()

    submit(rest_api, "job4", priority=3)
    expect_states(page, job1="preempted", job4="running")
    expect(lane(page, "job1, attempt 1: preempted")).to_be_visible()
    expect(lane(page, "job4, attempt 1: running")).to_be_visible()
    expect_order(page, "job4", "job2", "job1", "job3")

    change_priority(page, "job3", 2)
    expect(note(page)).to_contain_text("job3 now with priority 2")
    expect_order(page, "job4", "job2", "job3", "job1")
    note(page).get_by_role("button", name="Undo").click()
    expect_order(page, "job4", "job2", "job1", "job3")

    queue.apply_config(RULES, "rules")
    change_priority(page, "job3", 9)
    refused = page.get_by_role("alert").filter(has_text="job3")
    expect(refused).to_contain_text("calm")
    refused.get_by_role("button", name="Dismiss").click()

    select(page, "job2").click()
    act(page, "Cancel…")
    page.get_by_role("button", name="Keep").click()
    expect_states(page, job2="running")
    act(page, "Cancel…")
    page.get_by_role("button", name="Cancel 1 job").click()
    expect_states(page, job2="stopped", job1="running", job3="pending")
    expect(lane(page, "job1, attempt 2: running")).to_be_visible()

    page.get_by_role("link", name="job1", exact=True).click()
    expect(page.get_by_role("heading", name="job1", level=1)).to_be_visible()
    expect(page.get_by_role("row", name="job1-sq-1")).to_contain_text("preempted for job4")
    log = page.get_by_role("log", name="The last lines of all attempts")
    expect(log.locator(".log-attempt")).to_have_text(["job1-sq-1", "job1-sq-2"])
    expect(log).to_contain_text("step 1 of 900")


def test_an_outdated_window_reports_it_and_does_nothing_twice(open_page: OpenPage, rest_api: RestApi) -> None:
    page = open_page()
    submit(rest_api, "gone", priority=0)
    expect(row(page, "gone")).to_be_visible()
    page.route(re.compile(r"/api/jobs$"), lambda _: None)  # no look at the queue is answered any more
    rest_api.cancel("gone")
    select(page, "gone").check()
    act(page, "Hold")
    expect(page.get_by_role("alert")).to_contain_text("gone: ")
    act(page, "Cancel…")
    page.get_by_role("button", name="Cancel 1 job").click()
    expect(note(page)).to_contain_text("gone cancelled")  # as it was wanted, by another window
    page.unroute_all(behavior="ignoreErrors")
    assert [action["kind"] for action in rest_api.job("gone")["actions"]] == ["cancelled"]


def submit(rest_api: RestApi, name: str, *, priority: int) -> None:
    request = body(name, LONG, priority=priority)
    request["CheckpointConfig"] = {"S3Uri": f"{request['OutputDataConfig']['S3OutputPath']}/checkpoints/{name}"}
    rest_api.submit(request)


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


def expect_order(page: Page, *wanted: str) -> None:
    expect(page.locator("tbody th a")).to_have_text(list(wanted))


def expect_states(page: Page, **states: str) -> None:
    for name, state in states.items():
        expect(row(page, name).locator(".state")).to_have_text(state)


def lane(page: Page, beginning: str) -> Locator:
    return page.get_by_role("link", name=re.compile(f"^{beginning}"))


def select(page: Page, name: str) -> Locator:
    return page.get_by_role("checkbox", name=f"Select {name}", exact=True)


def act(page: Page, label: str) -> None:
    page.get_by_role("toolbar").get_by_role("button", name=label).click()


def change_priority(page: Page, name: str, priority: int) -> None:
    select(page, name).check()
    act(page, "Priority…")
    page.get_by_role("spinbutton", name="Priority").fill(str(priority))
    page.get_by_role("button", name="Set priority").click()
    select(page, name).uncheck()


def note(page: Page) -> Locator:
    return page.get_by_role("status").last
