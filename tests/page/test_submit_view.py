"""The view for a new job: its forecast, refusals at their lines, and its submission."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from page.busy_queue import STEPS, a_request, trains
from page.conftest import OpenPage
from page.crowd import Crowd
from page.layout import WIDTHS, faults, set_width
from page.pictures import Pictures
from page.test_views import obstacles
from sagequeue import QueueClient
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually
from unit.sagequeue.builders import jobs

OpenCrowd = Callable[[Crowd], Page]
HTML = "<img src=x onerror=\"document.title='taken over'\">"


def _submit_view(open_crowd: OpenCrowd, crowd: Crowd) -> Page:
    page = open_crowd(crowd)
    page.get_by_role("link", name="Submit", exact=True).click()
    return page


def _text(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Request")


def _forecast(page: Page) -> Locator:
    return page.get_by_role("region", name="If it were submitted now")


def test_a_pasted_request_is_forecast_changed_and_submitted(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(3)
    page = _submit_view(open_crowd, crowd)
    _text(page).fill(json.dumps(jobs.a_request()))
    forecast = _forecast(page)
    for told in ("needs 1 × ml.g5.xlarge", "behind7 jobs", "would stopno job", "$0.50 to $12.00 per attempt"):
        expect(forecast).to_contain_text(told)
    page.get_by_role("spinbutton", name="Priority").fill("9")
    expect(forecast).to_contain_text("would stoprun-3 run-5")
    page.get_by_role("spinbutton", name="Instances").fill("2")
    expect(forecast).to_contain_text("would stoprun-3 run-5")
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    assert not crowd.submitted
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page).to_have_url(re.compile("#/job/resnet$"))
    expect(page.get_by_role("status").filter(has_text="resnet submitted")).to_be_visible()
    [request] = crowd.submitted
    assert request["ResourceConfig"]["InstanceCount"] == 2
    assert request["Tags"] == [{"Key": "queue:priority", "Value": "9"}]


def test_an_earlier_job_is_the_beginning_of_a_new_one(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(3)
    crowd.shown["sweep-00001"] = jobs.a_job(name="sweep-00001", actions=[])
    page = _submit_view(open_crowd, crowd)
    page.get_by_role("combobox", name="Earlier job").fill("sweep-00001")
    page.get_by_role("button", name="Use its request").click()
    expect(page.get_by_role("textbox", name="Name")).to_have_value("sweep-00002")
    expect(_forecast(page)).to_contain_text("behind7 jobs")
    page.get_by_role("link", name="Capacity").click()
    page.get_by_role("link", name="Submit", exact=True).click()
    expect(_text(page)).to_have_value(re.compile("sweep-00002"))  # the text stays


def test_a_job_is_submitted_again_from_its_own_view(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(0)
    crowd.shown["resnet"] = jobs.a_job("failed", "failed", actions=[])
    page = open_crowd(crowd)
    page.goto(f"{page.url.partition('#')[0]}#/job/resnet")
    page.get_by_role("link", name="Submit again…").click()
    expect(_forecast(page)).to_contain_text("behind7 jobs")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page).to_have_url(re.compile("#/job/resnet-2$"))
    assert [request["TrainingJobName"] for request in crowd.submitted] == ["resnet-2"]


def test_a_refusal_is_shown_at_the_line_of_its_field(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(3)
    page = _submit_view(open_crowd, crowd)
    _text(page).fill(json.dumps(jobs.a_request(), indent=2))
    expect(_forecast(page)).to_contain_text("behind7 jobs")
    page.get_by_role("spinbutton", name="Instances").fill("9")
    problem = page.get_by_role("alert").get_by_role("listitem")
    expect(problem).to_contain_text(re.compile(r"Line \d+ ResourceConfig.InstanceCount The budget has 8. Use fewer."))
    expect(page.locator(".at-line span")).to_contain_text('"InstanceCount": 9')
    submit = page.get_by_role("button", name="Submit")
    expect(submit).to_have_accessible_name("Submit Correct the request first.")
    submit.click(force=True)
    expect(page.get_by_role("status").filter(has_text="Correct the request first.")).to_be_visible()
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)
    assert not crowd.submitted


def test_a_text_that_is_not_json_reaches_no_queue(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(3)
    page = _submit_view(open_crowd, crowd)
    calls: list[str] = []
    page.on("request", lambda request: calls.append(request.url))
    _text(page).fill('{\n  "TrainingJobName": "a"\n  "RoleArn": "b"\n}')
    expect(page.get_by_role("alert").get_by_role("listitem")).to_contain_text("Line 3 This is not JSON")
    expect(_forecast(page)).to_contain_text("Correct the text.")
    assert not [call for call in calls if call.endswith("what-if")]


def test_a_caller_who_may_not_submit_sees_no_such_view(open_crowd: OpenCrowd) -> None:
    crowd = Crowd(1, verbs=[])
    crowd.shown["resnet"] = jobs.a_job(actions=[])
    page = open_crowd(crowd)
    expect(page.get_by_text("user/anna").or_(page.get_by_text("anna", exact=True)).first).to_be_visible()
    expect(page.get_by_role("link", name="Submit")).to_have_count(0)
    expect(page.get_by_role("toolbar")).to_have_count(0)
    page.goto(f"{page.url.partition('#')[0]}#/job/resnet")
    expect(page.get_by_role("heading", name="resnet", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Submit")).to_have_count(0)
    expect(page.get_by_role("toolbar")).to_have_count(0)


def test_a_request_full_of_html_is_shown_as_it_is(open_crowd: OpenCrowd) -> None:
    page = _submit_view(open_crowd, Crowd(0))
    _text(page).fill(json.dumps(jobs.a_request(HTML, Tags=[{"Key": HTML, "Value": HTML}])))
    expect(_forecast(page)).to_contain_text("behind7 jobs")
    expect(page.get_by_role("textbox", name="Name")).to_have_value(HTML)
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_long_names_and_refusals_fit_every_width(open_crowd: OpenCrowd, width: int) -> None:
    page = _submit_view(open_crowd, Crowd(3))
    set_width(page, width)
    request = jobs.a_request("multilingual-translation-encoder-with-adapters-seed-42")
    _text(page).fill(json.dumps(request, indent=2))
    expect(_forecast(page)).to_contain_text("behind7 jobs")
    assert faults(page) == []
    page.get_by_role("spinbutton", name="Instances").fill("9")
    expect(page.get_by_role("alert").get_by_role("listitem")).to_be_visible()
    assert faults(page) == []
    for scheme in ("light", "dark"):
        assert not obstacles(page, scheme)


def test_a_job_of_the_deployed_account_is_copied_forecast_and_submitted(
    emptied: None, open_page: OpenPage, rest_api: RestApi, queue: QueueClient, pictures: Pictures
) -> None:
    rest_api.submit(a_request("resnet-1", STEPS, 2, "ml.m5.large", 2))
    eventually(lambda: queue.get("resnet-1"), trains)
    page = open_page("submit?from=resnet-1")
    forecast = _forecast(page)
    expect(forecast).to_contain_text("would stopno job")
    page.get_by_role("spinbutton", name="Priority").fill("7")
    page.get_by_role("spinbutton", name="Instances").fill("9")
    expect(page.get_by_role("alert").get_by_role("listitem")).to_contain_text("ResourceConfig.InstanceCount")
    page.get_by_role("spinbutton", name="Instances").fill("1")
    expect(forecast).to_contain_text("resnet-1")
    pictures.take(page, "submit")
    for width in WIDTHS:
        set_width(page, width)
        assert faults(page) == []
        for scheme in ("light", "dark"):
            assert not obstacles(page, scheme)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page).to_have_url(re.compile("#/job/resnet-2$"))
    assert (queue.get("resnet-2")["priority"], queue.get("resnet-2")["instances"]) == (7, {"ml.m5.large": 1})
    for name in ("resnet-1", "resnet-2"):
        rest_api.post(f"/jobs/{name}/cancel")
