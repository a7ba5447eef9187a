"""The REST API from outside: who may come in, and what submitting twice means."""

import json

import boto3
import requests

from support.deployed.container_requests import body
from support.deployed.rest_api import TIMEOUT_SECONDS, Door, parsed


def test_a_signed_request_becomes_a_job(door: Door) -> None:
    answer = door.post("/add-job", body("accepted", priority=7))
    job = parsed(answer)
    assert answer.status_code == 201
    assert (job["name"], job["priority"], job["instances"]) == ("accepted", 7, {"ml.m5.large": 1})
    assert job["arn"] == "arn:aws:sagemaker:us-east-1:000000000000:training-job/accepted"


def test_the_same_request_again_is_the_same_job(door: Door) -> None:
    first = door.submit(body("repeated"))
    again = door.post("/add-job", body("repeated"))
    assert again.status_code == 200
    assert parsed(again)["submitted_at"] == first["submitted_at"]


def test_another_request_under_the_same_name_is_refused(door: Door) -> None:
    door.submit(body("taken"))
    answer = door.post("/add-job", body("taken", priority=1))
    assert (answer.status_code, parsed(answer)["error"]) == (409, "name_taken")
    assert parsed(answer)["remedy"]


def test_an_unsigned_request_is_refused(door: Door) -> None:
    answer = requests.post(f"{door.url}/add-job", json=body("unsigned"), timeout=TIMEOUT_SECONDS)
    assert answer.status_code == 403
    assert door.get("/jobs/unsigned").status_code == 404


def test_a_request_that_somebody_else_signed_is_refused(door: Door) -> None:
    stranger = boto3.Session(aws_access_key_id="AKIASTRANGER", aws_secret_access_key="guessed")
    answer = Door(stranger, door.url).post("/add-job", body("forged"))
    assert answer.status_code == 403
    assert door.get("/jobs/forged").status_code == 404


def test_a_call_that_is_replayed_is_the_same_call(door: Door) -> None:
    """Within the minutes in which its signature holds: it comes to what sending it twice comes to."""
    text = json.dumps(body("replayed")).encode()
    headers = door.signature("POST", "/add-job", text)
    answers = [door.send("POST", "/add-job", text, headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert len({parsed(answer)["submitted_at"] for answer in answers}) == 1


def test_an_unknown_job_is_not_found(door: Door) -> None:
    for answer in (door.get("/jobs/nobody"), door.post("/jobs/nobody/cancel")):
        assert (answer.status_code, parsed(answer)["error"]) == (404, "unknown_job")


def test_a_list_comes_in_pages_in_the_order_of_the_queue(door: Door) -> None:
    for number in range(3):
        door.post("/jobs", {"request": body(f"listed-{number}"), "options": {"hold": True}})
    page = parsed(door.get("/jobs?state=held&limit=2"))
    assert [job["name"] for job in page["jobs"]] == ["listed-0", "listed-1"]
    following = parsed(door.get(f"/jobs?state=held&limit=2&next={page['next']}"))
    assert [job["name"] for job in following["jobs"]] == ["listed-2"]
    assert page["budget"]["ml.m5.large"]["limit"] == 2
