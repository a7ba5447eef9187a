"""Prices and spending limits on the deployed account: which jobs are held and stopped, and the notices."""

import re
from typing import Any

import pytest
from mypy_boto3_sagemaker import SageMakerClient

from support.builders.prices import prices
from support.builders.spending import spending
from support.deployed.container_requests import BUCKET, body
from support.deployed.notices import Mailbox
from support.deployed.rest_api import RestApi
from support.deployed.sagemaker_jobs import training_jobs
from support.deployed.terminal import Terminal
from support.deployed.waiting import eventually

MOON = {"name": "moon", "tag": "project=moon", "then": "stop"}


pytestmark = pytest.mark.usefixtures("operator")


def test_a_limit_in_dollars_stops_what_runs_and_holds_it_until_the_limit_is_raised(
    rest_api: RestApi, terminal: Terminal, mailbox: Mailbox, sagemaker: SageMakerClient
) -> None:
    dollar_a_second = prices(ml_m5_large=3600)
    terminal.write("costs.json", {"prices": dollar_a_second, "spending": spending({**MOON, "dollars": 3})})
    assert "prices, spending" in terminal.type("config apply costs.json")
    assert terminal.ask("prices")["prices"]["ml.m5.large"]["dollars_per_hour"] == 3600

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
    terminal.write("raised.json", {"spending": spending({**MOON, "dollars": 10_000})})
    terminal.type("config apply raised.json")
    eventually(lambda: rest_api.job("spender"), lambda job: job["state"] == "running")
    rest_api.cancel("spender")


def test_a_file_with_mistakes_is_refused_with_their_lines_and_changes_nothing(terminal: Terminal) -> None:
    before = terminal.ask("config show")
    wrong = {"prices": prices(ml_m5_large=-1), "spending": spending({**MOON, "dollars": -1})}
    terminal.write("costs.json", wrong)
    refusal = terminal.type("config apply costs.json", code=1)
    assert re.search(r"costs.json:[0-9]+: prices.prices\[0\].dollars_per_hour must be above 0", refusal)
    assert re.search(r"costs.json:[0-9]+: spending.limits\[0\].dollars must be 0 or more", refusal)
    assert terminal.ask("config show") == before


def _of_the_moon(name: str, command: str) -> dict[str, Any]:
    """It saves checkpoints without a stated interval: any moment is as good as another."""
    request = body(name, command)
    request["Tags"] = [*request["Tags"], {"Key": "project", "Value": "moon"}]
    return {**request, "CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/{name}"}}
