"""The shell's completion of `sagequeue`, as docs/reference/cli.md sets it up in ~/.bashrc."""

import subprocess
import sys
from pathlib import Path

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient
from unit.sagequeue.builders.jobs import a_request

COMMAND = Path(sys.executable).with_name("sagequeue")


def offered(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """For the last word, which may be empty."""
    monkeypatch.setenv("_SAGEQUEUE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(("sagequeue", *words)))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    ended = subprocess.run([COMMAND], check=False, capture_output=True, text=True)  # noqa: S603  # our own command
    assert ended.stderr == ""
    return [line.removeprefix("plain,") for line in ended.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("su",), ["submit"]),
        (("lo",), ["local", "logs"]),
        (("ls", "--st"), ["--state"]),
        (("ls", "--state", "pe"), ["pending"]),
        (("config", "d"), ["diff", "drift"]),
    ],
)
def test_commands_options_and_choices_are_completed(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], expected: list[str]
) -> None:
    assert offered(monkeypatch, *words) == expected


@pytest.mark.parametrize("command", ["show", "logs", "cancel", "hold", "prio"])
def test_names_are_those_of_the_queues_jobs(client: QueueClient, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    for name in ("resnet-1", "resnet-2", "bert"):
        client.submit(a_request(name))
    assert offered(monkeypatch, command, "res") == ["resnet-1", "resnet-2"]


def test_a_queue_that_cannot_be_asked_offers_nothing(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    queue.faults = [(403, {"message": "Forbidden"})]
    assert offered(monkeypatch, "show", "res") == []


def test_the_script_for_a_shell_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SAGEQUEUE_COMPLETE", "zsh_source")
    shown = subprocess.run([COMMAND], check=True, capture_output=True, text=True).stdout  # noqa: S603  # our own command
    assert "#compdef sagequeue" in shown
