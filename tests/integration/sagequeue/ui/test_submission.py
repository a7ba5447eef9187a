"""Forecasts and submissions by the page."""

import pytest
import requests

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.ui.page_script import post
from sagequeue import QueueClient
from unit.sagequeue.builders.jobs import a_request


def test_the_page_forecasts_a_request_and_submits_it(
    browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
) -> None:
    told = post(browser, address, "what-if", **a_request()).json()
    assert {"starts_now", "preempts", "starts"} <= told.keys()
    assert not queue.requests
    answer = post(browser, address, "submit", **a_request())
    assert (answer.status_code, answer.json()["is_new"]) == (201, True)
    assert client.get("resnet")["request"] == a_request()
    assert post(browser, address, "submit", **a_request()).json()["is_new"] is False


def test_alternatives_beside_a_request_are_forecast_and_submitted_with_it(
    browser: requests.Session, address: str, queue: FakeQueue
) -> None:
    options = {"alternatives": [{"request": {"EnableManagedSpotTraining": True}}]}
    for call in ("what-if", "submit"):
        post(browser, address, call, request=a_request(), options=options)
    assert [(call.path, call.body) for call in queue.calls] == [
        (path, {"request": a_request(), "options": options}) for path in ("/what-if", "/jobs")
    ]


def test_the_refusal_of_a_request_names_its_field(browser: requests.Session, address: str, queue: FakeQueue) -> None:
    words = {"error": "over_budget", "message": "Too many.", "field": "ResourceConfig", "remedy": "Use fewer."}
    queue.faults = [(400, words), (400, words)]
    for call in ("what-if", "submit"):
        answer = post(browser, address, call, **a_request())
        assert (answer.status_code, answer.json()["field"]) == (400, "ResourceConfig")
    assert not queue.requests


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b'"text"', b"[" * 100_000])
def test_a_text_that_is_no_request_does_not_reach_the_queue(
    browser: requests.Session, address: str, queue: FakeQueue, body: bytes
) -> None:
    for call in ("what-if", "submit"):
        answer = browser.post(f"{address}/api/{call}", body, headers={"Origin": address})
        assert (answer.status_code, answer.json()["error"]) == (400, "QueueError")
    assert not queue.calls
