"""A tour of the command line on the deployed queue; docs/cli.md shows what the commands print here.

With UPDATE_DOCS=1 the tour is written into that page anew.
"""

import json
import os
import re
import shlex
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from e2e.bodies import body
from e2e.commands import CHECKOUT, run
from e2e.door import Door
from e2e.patience import eventually

SAGEQUEUE = Path(sys.executable).with_name("sagequeue")
PAGE = CHECKOUT / "docs" / "cli.md"
BEGIN, END = "<!-- tour: begin -->\n", "<!-- tour: end -->\n"
EPOCHS = "for epoch in 1 2 3 4 5 6; do echo epoch $epoch; sleep 4; done"  # so long that `day` comes before the end


class Terminal:
    """Runs commands where their files are, and keeps what a reader would see."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.seen: list[str] = []

    def write(self, name: str, request: dict[str, object]) -> None:
        (self._folder / name).write_text(json.dumps(request))

    def type(self, line: str, code: int = 0) -> str:
        words = [str(self._folder / word) if word.endswith(".json") else word for word in shlex.split(line)]
        done = run(SAGEQUEUE, *words)
        assert done.returncode == code, done.stderr
        note = f"$ echo $?\n{code}\n" if code else ""
        self.seen.append(f"$ sagequeue {line}\n{_clean(done)}{note}")
        return done.stdout


def _clean(done: CompletedProcess[str]) -> str:
    return "".join(f"{line.rstrip()}\n" for line in (done.stderr + done.stdout).splitlines())


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "110")
    return Terminal(tmp_path)


def test_the_tour_goes_as_the_page_shows_it(terminal: Terminal, door: Door) -> None:
    look_around(terminal)
    let_a_job_give_way_and_come_back(terminal, door)
    operate(terminal)
    if os.environ.get("UPDATE_DOCS"):
        show_on_the_page(terminal)
    shown = re.findall(r"^\$ (.*)$", PAGE.read_text().partition(BEGIN)[2].partition(END)[0], re.MULTILINE)
    assert shown == [
        line.removeprefix("$ ") for step in terminal.seen for line in step.splitlines() if line[:2] == "$ "
    ]


def look_around(terminal: Terminal) -> None:
    assert "✗" not in terminal.type("doctor")


def let_a_job_give_way_and_come_back(terminal: Terminal, door: Door) -> None:
    terminal.write("night.json", body("night", EPOCHS, instances=2))
    terminal.write("day.json", body("day", "echo hello; sleep 3"))
    terminal.type("submit night.json --token build-17")
    eventually(lambda: door.job("night"), lambda job: job["state"] == "running")
    terminal.type("submit day.json --hold")
    assert "held" in terminal.type("ls")
    terminal.type("release day")
    terminal.type("prio day 5")  # which preempts `night`
    assert "hello" in terminal.type("logs -f day")
    terminal.type("wait day")
    log = terminal.type("logs -f night")
    assert log.index("night-sq-1: preempted for day") < log.index("night-sq-2 starts")
    terminal.type("show night")
    terminal.type("requeue night", code=1)
    terminal.type("wait night")


def operate(terminal: Terminal) -> None:
    terminal.write("late.json", body("late"))
    terminal.type("budget")
    terminal.type("budget set ml.m5.large=1")
    terminal.type("budget reset")
    terminal.type("drain")
    terminal.type("submit late.json", code=1)
    terminal.type("resume")


def show_on_the_page(terminal: Terminal) -> None:
    before, _, rest = PAGE.read_text().partition(BEGIN)
    tour = "".join(f"```console\n{step}```\n\n" for step in terminal.seen)
    PAGE.write_text(f"{before}{BEGIN}\n{tour}{END}{rest.partition(END)[2]}")
