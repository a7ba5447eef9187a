"""Prices and spending limits on the deployed account: which jobs are held and stopped, and the notices."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from mypy_boto3_sagemaker import SageMakerClient

from sagequeue import QueueClient
from support.builders.prices import prices
from support.builders.spending import spending
from support.deployed.container_requests import BUCKET, body
from support.deployed.notices import Mailbox
from support.deployed.rest_api import RestApi
from support.deployed.sagemaker_jobs import training_jobs
from support.deployed.terminal import Terminal
from support.deployed.waiting import eventually

MOON = {"name": "moon", "tag": "project=moon", "then": "stop"}


@pytest.fixture(autouse=True)
def operator(shell: dict[str, str]) -> Iterator[None]:
    """Other tests find the queue as it was."""
    yield
    QueueClient().apply_spending(spending())
    QueueClient().apply_prices(prices())


def test_a_limit_in_dollars_stops_what_runs_and_holds_it_until_the_limit_is_raised(
    rest_api: RestApi, terminal: Terminal, mailbox: Mailbox, sagemaker: SageMakerClient
) -> None:
    terminal.write("prices.json", prices(ml_m5_large=3600))  # a dollar a second
    assert "version" in terminal.type("prices apply prices.json")
    assert terminal.ask("prices")["prices"]["ml.m5.large"]["dollars_per_hour"] == 3600
    terminal.write("limits.json", spending({**MOON, "dollars": 3}))
    terminal.type("spending apply limits.json")

    rest_api.submit(_of_the_moon("spender", "sleep 300"))
    eventually(lambda: rest_api.job("spender"), lambda job: job["state"] == "preempted")

    assert "spending limit moon" in terminal.type("why spender")
    (use,) = terminal.ask("spending")["uses"]
    (ran,) = training_jobs(sagemaker, "spender")
    assert (use["scope"], use["state"], use["running"]) == ("project=moon", "used_up", 0)
    assert use["used"] == pytest.approx(ran["BillableTimeInSeconds"], abs=1)
    notice = eventually(mailbox.notices, lambda found: "" in found)[""]
    assert (notice["kind"], "spending limit moon" in notice["reason"]) == ("spending_limit", True)

    rest_api.submit(body("earthling"))
    eventually(lambda: rest_api.job("earthling"), lambda job: job["state"] == "completed")
    assert rest_api.job("spender")["state"] == "preempted"
    terminal.write("limits.json", spending({**MOON, "dollars": 10_000}))
    terminal.type("spending apply limits.json")
    eventually(lambda: rest_api.job("spender"), lambda job: job["state"] == "running")
    rest_api.cancel("spender")


def test_a_document_that_is_wrong_is_refused_with_its_line(terminal: Terminal) -> None:
    terminal.write("limits.json", json.dumps(json.loads(spending({**MOON, "dollars": -1})), indent=1))
    assert "limits[0].dollars must be 0 or more" in terminal.type("spending apply limits.json", code=1)
    terminal.write("prices.json", prices(ml_m5_large=-1))
    assert "prices[0].dollars_per_hour must be above 0" in terminal.type("prices apply prices.json", code=1)


def _of_the_moon(name: str, command: str) -> dict[str, Any]:
    """It saves checkpoints, and does not tell how often: any moment is as good as another."""
    request = body(name, command)
    request["Tags"] = [*request["Tags"], {"Key": "project", "Value": "moon"}]
    return {**request, "CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/{name}"}}
