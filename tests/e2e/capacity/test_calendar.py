"""A budget that shrinks at a set time, on the deployed stack; tests/data/tours/calendar.md has commands and output."""

import os
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from support.checkout import CHECKOUT
from support.deployed.container_requests import BUCKET, body
from support.deployed.terminal import Terminal, commands_in, show_on, shown_on
from support.deployed.waiting import eventually

PAGE = CHECKOUT / "tests/data/tours/calendar.md"
NO_WINDOWS = "calendar: {}\n"
#: Enough for three commands.
SOON = timedelta(seconds=20)
# The first attempt saves something and goes on for long; a later one ends at once.
SAVES = "cd $SM_CHECKPOINT_DIR; [ -e saved ] && exit 0; touch saved; sleep 300"


@pytest.mark.usefixtures("operator")
def test_the_budget_shrinks_as_the_page_shows_it(terminal: Terminal) -> None:
    begins = announce(terminal)
    start_nothing_that_stays(terminal)
    give_way_at_the_set_time(terminal, begins)
    go_on_when_it_is_over(terminal)
    if os.environ.get("UPDATE_DOCS"):
        show_on(PAGE, __file__, terminal.text())
    assert list(commands_in(shown_on(PAGE, __file__))) == list(commands_in(terminal.text()))


def announce(terminal: Terminal) -> datetime:
    """Says when the window opens, which is when it is written: that is what takes time before."""
    terminal.scene(
        "Before the window",
        "`saves` runs and saves checkpoints. In 20 seconds, the budget becomes 0 for ten minutes.",
    )
    terminal.write("saves.json", body("saves", SAVES) | checkpoints("saves"))
    terminal.write("stays.json", body("stays"))
    terminal.type("submit saves.json")
    eventually(lambda: saved("saves"), bool)
    begins = datetime.now(UTC).replace(microsecond=0) + SOON
    terminal.write("calendar.yaml", calendar(begins, begins + timedelta(minutes=10)))
    terminal.shell("cat calendar.yaml")
    terminal.type("config apply calendar.yaml")
    return begins


def start_nothing_that_stays(terminal: Terminal) -> None:
    terminal.scene(
        "Jobs that could not end in time", "`stays.json` has a time limit of ten minutes and no checkpoints."
    )
    terminal.type("submit stays.json")
    assert "it can neither end nor be preempted in time" in terminal.type("why stays")


def give_way_at_the_set_time(terminal: Terminal, begins: datetime) -> None:
    terminal.scene("The window opens", "The next cycle stops the running job.")
    eventually(lambda: budget(terminal), lambda count: count == 0)
    assert datetime.now(UTC) >= begins
    terminal.type("budget")
    terminal.type("prio stays 1")  # an act of people brings a cycle at once
    eventually(lambda: state(terminal, "saves"), lambda state: state == "preempted")
    terminal.type("show saves")
    assert state(terminal, "stays") == "pending"


def go_on_when_it_is_over(terminal: Terminal) -> None:
    terminal.scene(
        "The window is removed", "An empty calendar restores the stack's budget at once, and both jobs complete."
    )
    terminal.write("empty.yaml", NO_WINDOWS)
    terminal.type("config apply empty.yaml")
    terminal.type("wait saves")
    terminal.type("wait stays")
    outcomes = [one["outcome"] for one in terminal.ask("show saves")["attempts"]]
    assert outcomes == ["preempted", "completed"]


def calendar(begins: datetime, ends: datetime) -> str:
    return f"""\
calendar:
  windows:
    - name: maintenance
      begins: {begins:%Y-%m-%dT%H:%M:%S}Z
      ends: {ends:%Y-%m-%dT%H:%M:%S}Z
      budget: {{"*": 0}}
"""


def checkpoints(name: str) -> dict[str, Any]:
    return {"CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/checkpoints/{name}"}}


def saved(name: str) -> bool:
    return bool(boto3.client("s3").list_objects_v2(Bucket=BUCKET, Prefix=f"checkpoints/{name}/").get("KeyCount"))


def budget(terminal: Terminal) -> int:
    count: int = terminal.ask("budget")["budget"]["ml.m5.large"]
    return count


def state(terminal: Terminal, name: str) -> str:
    state: str = terminal.ask(f"show {name}")["state"]
    return state
