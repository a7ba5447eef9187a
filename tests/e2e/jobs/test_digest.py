"""The digest on the deployed account: a sweep sends it, and a subscribed queue receives it."""

from datetime import UTC, datetime, timedelta

import boto3
import pytest

from support.deployed.container_requests import body
from support.deployed.notices import Mailbox
from support.deployed.rest_api import RestApi
from support.deployed.terminal import Terminal
from support.deployed.waiting import eventually

pytestmark = pytest.mark.usefixtures("operator")


def test_a_sweep_sends_the_digest_of_an_owner(
    rest_api: RestApi, terminal: Terminal, mailbox: Mailbox, outputs: dict[str, str]
) -> None:
    request = body("held")
    request["Tags"].append({"Key": "queue:hold", "Value": "true"})
    rest_api.submit(request)
    ended = datetime.now(UTC) - timedelta(hours=1)
    terminal.write("digest.json", {"notices": {"owners": ["digest"], "digest_hour": ended.hour}})
    terminal.type("config apply digest.json")
    name = outputs["ScheduleFunctionName"]
    boto3.client("lambda").invoke(
        FunctionName=name, InvocationType="Event", Payload=b"{}"
    )  # without a wait for a sweep
    digest = eventually(mailbox.notices, lambda found: "" in found)[""]
    assert digest["kind"] == "digest"
    assert digest["id"] == f"{ended:%Y-%m-%d}/{digest['owner']}/digest"
    assert "On hold: 1." in digest["reason"].splitlines()
    rest_api.cancel("held")
