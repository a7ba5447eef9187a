"""`sagequeue spending`, against recorded answers of the API."""

from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue.cli.main import main

DOCUMENT = '{"format": 1, "time_zone": "UTC",\n "limits": []}\n'
IN_FORCE = {"version": 3, "text": DOCUMENT, "changed_by": "ada", "changed_at": "2026-11-21T10:00:00Z"}
MONTH = {"name": "2026-11", "begins": "2026-11-01T00:00:00Z", "ends": "2026-12-01T00:00:00Z", "time_zone": "UTC"}
USE = {
    "limit": "vision",
    "kind": "team",
    "scope": "vision",
    "measure": "gpu_hours",
    "most": 500.0,
    "used": 500.25,
    "running": 1.5,
    "forecast": 640.0,
    "warn_at": 0.8,
    "then": "hold",
    "state": "used_up",
    "reason": "it is used up",
}


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["spending", *words])


def told(**more: Any) -> dict[str, Any]:
    return {**IN_FORCE, "readable": True, "month": MONTH, "uses": [USE], **more}


def test_each_use_of_a_limit_is_a_line(queue: FakeQueue) -> None:
    queue.faults.append((200, told()))
    line = run().stdout.splitlines()[-1]
    assert queue.calls[0].path == "/spending"
    for part in ("vision", "team vision", "500.2 GPU h", "1.5 GPU h", "640.0 GPU h", "used up", "it is used up"):
        assert part in line


def test_dollars_and_unknown_amounts_are_shown_as_such(queue: FakeQueue) -> None:
    unknown = {**USE, "measure": "dollars", "used": None, "running": None, "forecast": None, "state": "unknown"}
    queue.faults.append((200, told(uses=[unknown])))
    line = run().stdout.splitlines()[-1]
    assert ("$500.00" in line, line.count("not known")) == (True, 3)


def test_without_limits_a_sentence_is_shown(queue: FakeQueue) -> None:
    queue.faults.append((200, told(month=None, uses=[])))
    assert run().stdout == "No spending limits are set.\n"


def test_unreadable_limits_are_reported(queue: FakeQueue) -> None:
    queue.faults.append((200, told(readable=False, month=None, uses=[])))
    assert "cannot be read. No jobs start" in run().stdout


def test_show_and_apply_take_the_very_text(queue: FakeQueue, tmp_path: Path) -> None:
    (tmp_path / "limits.json").write_text(DOCUMENT)
    queue.faults += [(200, told()), (200, told())]
    assert run("show").stdout == DOCUMENT
    result = run("apply", str(tmp_path / "limits.json"), "--replaces", "2")
    assert (result.exit_code, result.stdout) == (0, "Applied version 3\n")
    assert (queue.calls[-1].path, queue.calls[-1].raw) == ("/spending?replaces=2", DOCUMENT.encode())
