"""The REST API from outside: access, and submitting twice."""

import json

import boto3
import requests

from local_account import LocalAccount
from local_guard.rule import KEY_HEADER
from support.deployed.container_requests import body
from support.deployed.rest_api import TIMEOUT_SECONDS, RestApi, parsed


def test_a_signed_request_becomes_a_job(rest_api: RestApi) -> None:
    answer = rest_api.post("/add-job", body("accepted", priority=7))
    job = parsed(answer)
    assert answer.status_code == 201
    assert (job["name"], job["priority"], job["instances"]) == ("accepted", 7, {"ml.m5.large": 1})
    assert job["arn"] == "arn:aws:sagemaker:us-east-1:000000000000:training-job/accepted"


def test_an_unsigned_request_is_refused(rest_api: RestApi, account: LocalAccount) -> None:
    past_the_guard = {KEY_HEADER: account.key}  # to API Gateway
    answer = requests.post(
        f"{rest_api.url}/add-job", json=body("unsigned"), headers=past_the_guard, timeout=TIMEOUT_SECONDS
    )
    assert answer.status_code == 403
    assert rest_api.get("/jobs/unsigned").status_code == 404


def test_a_request_with_another_signature_is_refused(rest_api: RestApi, account: LocalAccount) -> None:
    stranger = RestApi(boto3.Session("AKIASTRANGER", "guessed"), rest_api.url)
    text = json.dumps(body("forged")).encode()
    past_the_guard = {**stranger.signature("POST", "/add-job", text), KEY_HEADER: account.key}  # to API Gateway
    answer = stranger.send("POST", "/add-job", text, past_the_guard)
    assert answer.status_code == 403
    assert rest_api.get("/jobs/forged").status_code == 404


def test_a_call_that_is_replayed_is_the_same_call(rest_api: RestApi) -> None:
    """Within the minutes in which its signature holds: it comes to what sending it twice comes to."""
    text = json.dumps(body("replayed")).encode()
    headers = rest_api.signature("POST", "/add-job", text)
    answers = [rest_api.send("POST", "/add-job", text, headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert len({parsed(answer)["submitted_at"] for answer in answers}) == 1


def test_a_list_comes_in_pages_in_the_order_of_the_queue(rest_api: RestApi) -> None:
    for number in range(3):
        rest_api.post("/jobs", {"request": body(f"listed-{number}"), "options": {"hold": True}})
    page = parsed(rest_api.get("/jobs?state=held&limit=2"))
    assert [job["name"] for job in page["jobs"]] == ["listed-0", "listed-1"]
    following = parsed(rest_api.get(f"/jobs?state=held&limit=2&next={page['next']}"))
    assert [job["name"] for job in following["jobs"]] == ["listed-2"]
    assert page["budget"]["ml.m5.large"]["limit"] == 2
