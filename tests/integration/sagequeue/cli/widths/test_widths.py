"""Every command that prints numbers, in narrow and wide terminals: each number that it shows is that of --json."""

import json
from collections.abc import Iterator

import click
import pytest

from integration.sagequeue.cli.widths import actions, arrays, budgets, history, jobs
from integration.sagequeue.cli.widths.cases import Case, assert_few_lines, assert_numbers
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue.cli.main import main

WIDTHS = (60, 80, 200)
COUNTS = (1, 40, 200)
CASES = {**jobs.CASES, **arrays.CASES, **budgets.CASES, **history.CASES, **actions.CASES}
#: These print sentences, files, logs or YAML, in lines that no terminal's width changes.
WITHOUT_NUMBERS = {
    *("logs", "run", "drain", "resume", "export", "mcp", "metrics", "ui", "doctor", "sweep", "watch", "whoami"),
    *("config show", "config plan", "config apply", "config diff", "config drift", "config rollback"),
    *("config schema", "config import batch"),
}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_number_shown_is_that_of_the_json(
    queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, case: Case, count: int
) -> None:
    answers = [(200, answer) for answer in case.answers(count)]
    queue.faults = list(answers)
    told = json.loads(run(*case.words, "--json").stdout)
    for width in WIDTHS:
        queue.faults = list(answers)
        monkeypatch.setenv("COLUMNS", str(width))
        output = run(*case.words).output
        assert max(map(len, output.splitlines())) <= width
        assert_numbers(output, list(case.rows(told)))
        assert_few_lines(output, count)


def test_no_command_is_left_out() -> None:
    assert {*commands(main, ())} == {*CASES, *WITHOUT_NUMBERS}


def commands(group: click.Group, above: tuple[str, ...]) -> Iterator[str]:
    """Yields the client's own commands, without those of other packages."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield " ".join((*above, name))
