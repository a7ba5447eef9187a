"""A tour of the command line on the deployed queue; tests/data/tours/cli_tour.md has commands and output."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from sagequeue import QueueClient
from support.checkout import CHECKOUT
from support.deployed.container_requests import BUCKET, body
from support.deployed.rest_api import RestApi
from support.deployed.terminal import Terminal, commands_in, show_on, shown_on
from support.deployed.waiting import eventually

PAGE = CHECKOUT / "tests/data/tours/cli_tour.md"
RULES = """\
rules:
  rules:
    - name: quick
      kind: max_runtime
      at_most: 1m
"""
# Four epochs, each saved. The first attempt takes forever over the third one; the next goes on from there.
TRAIN = (
    "cd $SM_CHECKPOINT_DIR; for epoch in 1 2 3 4; do [ -e $epoch ] && continue; echo epoch $epoch; "
    "[ $epoch = 3 ] && [ ! -e slow ] && touch slow && sleep 300; touch $epoch; done"
)


@pytest.fixture
def operator(shell: dict[str, str]) -> Iterator[QueueClient]:
    """Whatever happens on the tour, other tests find the queue as it was."""
    operator = QueueClient()
    yield operator
    operator.resume()
    operator.reset_budget()
    operator.apply_config("{}", "rules")


@pytest.mark.usefixtures("operator")
def test_the_tour_goes_as_the_page_shows_it(terminal: Terminal, rest_api: RestApi) -> None:
    look_around(terminal)
    submit(terminal, rest_api)
    ask_why(terminal)
    let_the_night_give_way(terminal)
    try_again(terminal)
    give_up(terminal, rest_api)
    configure(terminal)
    operate(terminal)
    write_programs(terminal)
    if os.environ.get("UPDATE_DOCS"):
        show_on(PAGE, __file__, terminal.text())
    assert list(commands_in(shown_on(PAGE, __file__))) == list(commands_in(terminal.text()))


def look_around(terminal: Terminal) -> None:
    terminal.scene("Check the set-up", "`doctor` checks everything and changes nothing.")
    assert "✗" not in terminal.type("doctor")
    assert {check["status"] for check in terminal.ask("doctor")} == {"ok"}


def submit(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene(
        "Submit jobs",
        "`night.json` needs the whole budget for long, and saves checkpoints; `day.json` is short. A submission with\n"
        "a token can be repeated, also with its JSON in another order.",
    )
    terminal.write("night.json", untagged("night", TRAIN, instances=2) | checkpoints("night"))
    terminal.write("day.json", untagged("day", "echo hello"))
    assert "now" in terminal.type("whatif night.json")
    terminal.type("submit night.json --token build-17 --checkpoint-interval 60")
    eventually(lambda: rest_api.job("night"), _trains)
    again = "submit --cli-input-json file://night.json --token build-17 --checkpoint-interval 60"
    assert terminal.ask(again)["submitted_at"] == rest_api.job("night")["submitted_at"]
    assert "running" in terminal.type(again)
    terminal.type("submit day.json --hold")
    terminal.type("ls")
    assert [job["name"] for job in terminal.ask("ls --state held")["jobs"]] == ["day"]


def ask_why(terminal: Terminal) -> None:
    terminal.scene("Explain and forecast", "No job is preempted for a job of the same priority.")
    terminal.write("late.json", untagged("late", "sleep 300"))
    terminal.type("release day")
    assert "night" in terminal.type("why day")
    assert terminal.ask("why day")["waits_for"] == ["night"]
    assert "night" in terminal.type("whatif late.json --priority 9")
    assert terminal.ask("whatif late.json --priority 9")["preempts"] == ["night"]
    terminal.type("submit late.json")
    terminal.type("top late")
    terminal.type("queue")
    assert [job["name"] for job in terminal.ask("queue")["head"]] == ["late", "day"]
    terminal.type("hold late")
    assert "not held" in terminal.type("release night", code=1)


def let_the_night_give_way(terminal: Terminal) -> None:
    terminal.scene(
        "A job is preempted, and resumes",
        "With a higher priority than `night`, `day` gets its instances. `logs -f` follows a job over all attempts.",
    )
    assert terminal.ask("prio day 0")[0]["state"] == "pending"
    terminal.type("prio day 5")
    assert "completed" in terminal.type("wait day")
    log = terminal.type("logs -f night")
    assert log.index("night-sq-1: preempted for day") < log.index("night-sq-2 starts")
    assert [line for line in log.splitlines() if line.startswith("epoch")] == [f"epoch {n}" for n in (1, 2, 3, 3, 4)]
    terminal.type("show night")
    assert terminal.ask("show night")["preemptions"] == 1
    assert "completed" in terminal.type("requeue night", code=1)


def try_again(terminal: Terminal) -> None:
    terminal.scene("A job fails", "The exit code of `submit --wait` and `wait` shows how a job ended.")
    terminal.write("broken.json", untagged("broken", "echo no such file; exit 3"))
    terminal.type("submit broken.json --wait", code=10)
    terminal.type("requeue broken")
    terminal.type("wait broken", code=10)
    terminal.type("logs broken -n 3")
    assert len(terminal.ask("show broken")["attempts"]) == 2


def give_up(terminal: Terminal, rest_api: RestApi) -> None:
    terminal.scene("Cancel jobs", "By name or by filter. A filter asks for confirmation, or needs `--yes`.")
    terminal.type("wait late --timeout 0", code=124)
    for number in range(1, 4):
        rest_api.submit(body(f"try-{number}", "sleep 300"))
    terminal.type("cancel late")
    terminal.type("wait late", code=11)
    terminal.type("cancel --name try- --state pending", code=2)
    terminal.type("cancel --name try- --yes")
    terminal.type("cancel nobody night", code=3)
    assert terminal.ask("cancel late")[0]["state"] == "stopped"
    eventually(lambda: rest_api.job("try-1"), lambda job: job["state"] == "stopped")


def configure(terminal: Terminal) -> None:
    terminal.scene(
        "Change the configuration",
        "`short` waits when operators apply a rule that it breaks. It no longer starts, and nothing is lost.",
    )
    terminal.write("rules.yaml", RULES)
    terminal.write("wrong.yaml", RULES.replace("1m", "a day"))
    terminal.write("none.yaml", "rules: {}\n")
    for name in ("short", "next"):
        terminal.write(f"{name}.json", untagged(name))
    terminal.type("submit short.json --hold")
    terminal.type("config show rules")
    assert "wrong.yaml:5: rules.rules[0].at_most" in terminal.type("config apply wrong.yaml", code=1)
    assert "breaks quick" in terminal.type("config plan rules.yaml")
    terminal.type("config apply rules.yaml --comment 'Short jobs only'")
    assert "quick: " in terminal.type("submit next.json", code=1)
    terminal.type("findings")
    terminal.type("release short")
    assert "parked" in terminal.type("wait short", code=12)
    terminal.type("config apply none.yaml")
    terminal.type("config drift rules.yaml", code=6)
    assert "Short jobs only" in terminal.type("config log rules --limit 2")
    terminal.type("requeue short")
    terminal.type("wait short")


def operate(terminal: Terminal) -> None:
    terminal.scene("Operate the queue", "Both settings last until an operator resets them, across deployments.")
    terminal.type("budget")
    terminal.type("budget set ml.m5.large=1 --stop-over-budget --yes")
    terminal.type("budget reset")
    terminal.type("drain")
    terminal.type("submit next.json", code=1)
    terminal.type("resume")


def write_programs(terminal: Terminal) -> None:
    terminal.scene("Use in programs", "Each command prints one JSON document; endless commands print one per line.")
    terminal.type("budget --json")
    terminal.type("cancel --name try- --yes --json")
    terminal.type("logs -n 2 day --json")
    terminal.type("watch --until-empty")
    terminal.type("show nobody --json", code=3)


def _trains(job: dict[str, Any]) -> bool:
    return any(attempt["secondary_status"] == "Training" for attempt in job["attempts"])


def untagged(name: str, command: str = "true", *, instances: int = 1) -> dict[str, Any]:
    """A tag would stand against the options of the command line."""
    request = body(name, command, instances=instances)
    del request["Tags"]
    return request


def checkpoints(name: str) -> dict[str, Any]:
    return {"CheckpointConfig": {"S3Uri": f"s3://{BUCKET}/checkpoints/{name}"}}
