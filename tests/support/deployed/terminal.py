"""Records commands and their real output for the docs, with placeholders for values that differ between runs."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from sagequeue.cli.main import main
from support.checkout import CHECKOUT

# A page names the test that writes a tour on it.
_TOUR = r"(<!-- tour: begin, written by {} -->\n)(.*?)(<!-- tour: end -->\n)"
_Placeholder = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
# Values that differ between runs, and their placeholders.
_PLACEHOLDERS: tuple[_Placeholder, ...] = (
    (re.compile(r"\d{4}-\d\d-\d\d(T| )\d\d:\d\d:\d\d(\.\d+)?"), r"YYYY-MM-DD\1hh:mm:ss"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "YYYY-MM-DD hh:mm"),
    (re.compile(r"\d+ s from"), "N s from"),
    (re.compile(r"\$\d[\d.e-]*"), "$N"),
    (re.compile(r"127\.0\.0\.1:\d+/restapis/\w+"), "127.0.0.1:PORT/restapis/ID"),
    (re.compile(r"[\w.-]*/site-packages"), "site-packages"),
)
# Durations differ, too, except those that operators have set.
_DURATIONS: tuple[_Placeholder, ...] = (
    (re.compile(r"\b\d+m \d+s\b|\b\d+m\b|\b\d+s\b"), lambda span: "Ns".rjust(len(span[0]))),
    (re.compile(r", +Ns ago"), ", Ns ago"),
)
_SHOWS_SETTINGS = "config "
#: For calls that only the owner of the local account may make.
CURL = 'curl --silent --fail --header "X-Local-Account-Key: $AWS_ACCESS_KEY_ID"'


class Terminal:
    """Runs commands in a folder, inside this process.

    Only test_command_line starts processes, because they are slow.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen = ""

    def scene(self, title: str, text: str) -> None:
        """Adds a heading above the next commands."""
        self._close()
        self._seen += f"### {title}\n\n{text}\n\n```console\n"

    def write(self, name: str, content: Mapping[str, object] | str) -> None:
        (self._folder / name).write_text(content if isinstance(content, str) else json.dumps(content, indent=1))

    def type(self, line: str, code: int = 0) -> str:
        """Runs a command, and returns its output. Fails the test on another exit code."""
        done = self._run(line)
        assert done.exit_code == code, f"{line}\n{done.output}"
        differing = _PLACEHOLDERS if line.startswith(_SHOWS_SETTINGS) else (*_PLACEHOLDERS, *_DURATIONS)
        self._seen += f"$ sagequeue {line}\n{_cleaned(done.output, differing)}"
        self._seen += f"$ echo $?\n{code}\n" if code else ""
        return done.output

    def shell(self, line: str) -> None:
        """Runs another program in a process. Fails the test if it fails."""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # as in a shell with this environment activated
        done = subprocess.run(  # noqa: S603 - our own words
            ["/bin/sh", "-c", line],
            cwd=self._folder,
            env={**os.environ, "PATH": path, "AWS_MAX_ATTEMPTS": "10"},  # SageMaker allows one Create a second
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        self._seen += f"$ {line}\n{_cleaned(done.stdout, _PLACEHOLDERS)}"

    def ask(self, line: str) -> Any:
        """Runs a command with `--json`, and returns the parsed answer. It is not recorded."""
        done = self._run(f"{line} --json")
        return json.loads(done.stdout)

    def text(self) -> str:
        """Returns the recorded session as Markdown."""
        self._close()
        return self._seen

    def _run(self, line: str) -> Result:
        return CliRunner().invoke(main, shlex.split(line), prog_name="sagequeue")

    def _close(self) -> None:
        self._seen += "```\n\n" if self._seen and not self._seen.endswith("```\n\n") else ""


def shown_on(page: Path, test: str) -> str:
    """Returns the tour that this test file has written to the page."""
    found = _tour_by(test).search(page.read_text())
    return found[2] if found else ""


def show_on(page: Path, test: str, tour: str) -> None:
    page.write_text(_tour_by(test).sub(lambda found: f"{found[1]}\n{tour}{found[3]}", page.read_text()))


def _tour_by(test: str) -> re.Pattern[str]:
    return re.compile(_TOUR.format(re.escape(str(Path(test).relative_to(CHECKOUT)))), re.DOTALL)


def commands_in(tour: str) -> Iterator[str]:
    return (line for line in tour.splitlines() if line.startswith("$ "))


def _cleaned(output: str, placeholders: Iterable[_Placeholder]) -> str:
    for pattern, placeholder in placeholders:
        output = pattern.sub(placeholder, output)
    return "".join(f"{line.rstrip()}\n" for line in output.splitlines())
