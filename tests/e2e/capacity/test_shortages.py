"""A shortage on the deployed stack; tests/data/tours/shortages.md has commands and output."""

import json
import os
from datetime import UTC, datetime
from typing import Any

from sagequeue import QueueClient
from support.checkout import CHECKOUT
from support.deployed.container_requests import body
from support.deployed.terminal import CURL, Terminal, commands_in, show_on, shown_on
from support.deployed.waiting import eventually

PAGE = CHECKOUT / "tests/data/tours/shortages.md"
#: A minute would be long for a test.
SOON = '{"treatments": {"capacity": {"retries": 1000, "delay": "20s", "longest_delay": "20s"}}}'
GPU, CPU = "ml.g5.xlarge", "ml.m5.large"
ALTERNATIVES = [{"request": {"ResourceConfig": {"InstanceType": CPU, "InstanceCount": 2}}}]
# Its second attempt would go on for long.
LONG_ON_TWO = "case $TRAINING_JOB_NAME in *-2) sleep 300;; esac"


def test_a_shortage_goes_as_the_page_shows_it(terminal: Terminal, operator: QueueClient) -> None:
    operator.apply_config(SOON, "retries")
    try:
        move_to_the_second_choice(terminal)
        keep_away(terminal)
    finally:
        lack(terminal, 0)
    move_back(terminal)
    if os.environ.get("UPDATE_DOCS"):
        show_on(PAGE, __file__, terminal.text())
    assert list(commands_in(shown_on(PAGE, __file__))) == list(commands_in(terminal.text()))


def move_to_the_second_choice(terminal: Terminal) -> None:
    terminal.scene(
        "A shortage begins",
        "From here on, SageMaker has no `ml.g5.xlarge`; two `ml.m5.large` are the alternative. The local account\n"
        "creates shortages on request. The configuration sets the pause between attempts to 20 seconds.",
    )
    terminal.write("resnet.json", on_gpu("resnet", LONG_ON_TWO))
    terminal.write("alternatives.json", json.dumps(ALTERNATIVES) + "\n")
    terminal.shell("cat alternatives.json")
    lack(terminal, None)
    terminal.type("submit resnet.json --alternatives file://alternatives.json")
    eventually(lambda: attempts(terminal), lambda seen: seen == [("failed", 0), (None, 1)])
    terminal.type("show resnet")


def keep_away(terminal: Terminal) -> None:
    terminal.scene(
        "Other jobs avoid the shortage", "`gpu-only.json` has no alternative, so it waits without an attempt."
    )
    terminal.write("gpu-only.json", on_gpu("gpu-only", "true"))
    terminal.type("submit gpu-only.json")
    assert f"SageMaker had no {GPU}" in terminal.type("why gpu-only")
    terminal.type("queue")
    assert terminal.ask("show gpu-only")["attempts"] == []
    terminal.type("cancel gpu-only")


def move_back(terminal: Terminal) -> None:
    terminal.scene(
        "The shortage ends",
        "A running job is not moved. The next attempt after the pause takes the first choice again, and\n"
        "shows that there is capacity.",
    )
    eventually(lambda: pauses(terminal), lambda until: all(one <= datetime.now(UTC) for one in until))
    terminal.type("requeue resnet")
    terminal.type("wait resnet")
    assert attempts(terminal) == [("failed", 0), ("requeued", 1), ("completed", 0)]
    eventually(lambda: pauses(terminal), lambda until: not until)
    terminal.type("queue")


def on_gpu(name: str, command: str) -> dict[str, Any]:
    request = body(name, command)
    return request | {"ResourceConfig": request["ResourceConfig"] | {"InstanceType": GPU}}


def attempts(terminal: Terminal) -> list[tuple[str | None, int]]:
    return [(one["outcome"], one["choice"]) for one in terminal.ask("show resnet")["attempts"]]


def pauses(terminal: Terminal) -> list[datetime]:
    return [datetime.fromisoformat(one["next_try_at"]) for one in terminal.ask("queue")["shortages"]]


def lack(terminal: Terminal, back_in: int | None) -> None:
    """From now on, until it is said otherwise, or no more."""
    told = json.dumps({"instance_type": GPU, "back_in_seconds": back_in, "fails_after_seconds": 1})
    terminal.shell(f"{CURL} --request PUT $AWS_ENDPOINT_URL_SAGEMAKER/_control/capacity --data '{told}'")
