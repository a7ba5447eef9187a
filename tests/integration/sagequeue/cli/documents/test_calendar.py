"""`sagequeue calendar`, against recorded answers of the API."""

import json
from pathlib import Path

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from sagequeue.api.document_errors import BadCalendar, StaleCalendar

DOCUMENT = '{"format": 1,\n "time_zone": "UTC",\n "windows": []}\n'
PERIODS = [
    {
        "begins": "2026-11-21T10:00:00Z",
        "budget": {"ml.g5.xlarge": 2},
        "excess": {"ml.g5.xlarge": "preempt"},
        "windows": [],
    },
    {
        "begins": "2026-11-21T20:00:00Z",
        "budget": {"ml.g5.xlarge": 8},
        "excess": {"ml.g5.xlarge": "finish"},
        "windows": ["night"],
    },
]
IN_FORCE = {
    "version": 3,
    "text": DOCUMENT,
    "changed_by": "ada",
    "changed_at": "2026-11-21T10:00:00Z",
    "rests": False,
    "periods": PERIODS,
}


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "calendar.json"
    path.write_text(DOCUMENT)
    return str(path)


def test_show_prints_what_can_be_applied_again(queue: FakeQueue) -> None:
    queue.faults.append((200, IN_FORCE))
    assert run("calendar", "show").stdout == DOCUMENT


def test_ahead_lists_the_budgets_to_come(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    queue.faults += [(200, IN_FORCE)] * 2
    lines = [line.split() for line in run("calendar", "ahead").stdout.splitlines()]
    assert lines[1] == ["now", "2", "×", "ml.g5.xlarge", "preempt"]
    assert lines[2][3:] == ["8", "×", "ml.g5.xlarge", "night", "finish"]
    assert json.loads(run("calendar", "ahead", "--json").stdout) == IN_FORCE


def test_a_calendar_on_hold_is_reported(queue: FakeQueue, document: str) -> None:
    queue.faults += [(200, IN_FORCE | {"rests": True})] * 2
    assert "The calendar is on hold" in run("calendar", "ahead").stdout
    assert "The calendar is on hold" in run("calendar", "apply", document).stderr


@pytest.mark.parametrize(("options", "path"), [([], "/calendar"), (["--replaces", "2"], "/calendar?replaces=2")])
def test_apply_sends_the_very_text(queue: FakeQueue, document: str, options: list[str], path: str) -> None:
    queue.faults.append((200, IN_FORCE))
    assert run("calendar", "apply", document, *options).stdout == "Applied version 3\n"
    assert (queue.calls[0].method, queue.calls[0].path, queue.calls[0].raw) == ("PUT", path, DOCUMENT.encode())


def test_check_lists_the_budgets_or_the_problems_line_by_line(queue: FakeQueue, document: str) -> None:
    queue.faults.append((200, {"periods": PERIODS}))
    assert "8 × ml.g5.xlarge" in run("calendar", "check", document).stdout
    problem = {"line": 2, "field": "time_zone", "message": "must be the name of a time zone"}
    refusal = {"error": "bad_calendar", "message": "wrong", "field": "time_zone", "remedy": "Mend it."}
    queue.faults.append((400, refusal | {"problems": [problem]}))
    refused = run("calendar", "check", document)
    assert refused.exit_code == 1
    assert f"{document}:2: time_zone must be the name of a time zone" in refused.stderr


@pytest.mark.parametrize(
    ("status", "code", "error"), [(409, "stale_calendar", StaleCalendar), (400, "bad_calendar", BadCalendar)]
)
def test_each_refusal_is_an_error_of_its_own(queue: FakeQueue, status: int, code: str, error: type[Exception]) -> None:
    queue.faults.append((status, {"error": code, "message": "no", "field": None, "remedy": "", "problems": []}))
    with pytest.raises(error):
        QueueClient().apply_calendar(DOCUMENT)
