"""`sagequeue rules`, against recorded answers of the API."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient
from sagequeue.api.document_errors import BadRules, StaleRules
from sagequeue.cli.main import main

DOCUMENT = '{"format": 1,\n "rules": []}\n'
IN_FORCE = {"version": 3, "text": DOCUMENT, "changed_by": "ada", "changed_at": "2026-11-21T10:00:00Z"}
REFUSED = {
    "error": "bad_rules",
    "message": "line 2: rules must be a list",
    "field": "rules",
    "remedy": "Mend it.",
    "problems": [{"line": 2, "field": "rules", "message": "must be a list"}],
}
VIOLATION = {"rule": "small", "field": "ResourceConfig", "message": "too many", "remedy": "fewer"}
NOTHING: dict[str, list[object]] = {"violations": [], "warnings": []}


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["rules", *words])


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "rules.json"
    path.write_text(DOCUMENT)
    return str(path)


def test_show_prints_what_can_be_applied_again(queue: FakeQueue) -> None:
    queue.faults.append((200, IN_FORCE))
    result = run("show")
    assert result.stdout == DOCUMENT
    assert "version 3, by ada" in result.stderr


def test_apply_sends_the_very_text(queue: FakeQueue, document: str) -> None:
    queue.faults.append((200, IN_FORCE))
    result = run("apply", document, "--replaces", "2")
    assert (result.exit_code, result.stdout) == (0, "Applied version 3\n")
    assert (queue.calls[0].method, queue.calls[0].path) == ("PUT", "/rules?replaces=2")
    assert queue.calls[0].raw == DOCUMENT.encode()


@pytest.mark.parametrize("command", ["apply", "check"])
def test_problems_are_printed_line_by_line(queue: FakeQueue, document: str, command: str) -> None:
    queue.faults.append((400, REFUSED))
    result = run(command, document)
    assert result.exit_code == 1
    assert f"{document}:2: rules must be a list" in result.stderr


def test_check_shows_affected_jobs_and_the_number_of_checked_ones(queue: FakeQueue, document: str) -> None:
    after = {"violations": [VIOLATION], "warnings": []}
    job = {"name": "wide", "state": "pending", "before": NOTHING, "after": after}
    queue.faults.append((200, {"checked": 7, "complete": False, "jobs": [job]}))
    lines = run("check", document).stdout.splitlines()
    assert lines == [
        "wide (pending)",
        "  + violates small: too many",
        "1 of 7 jobs affected; more jobs exist and were not checked",
    ]


def test_check_as_json_is_what_the_api_answered(queue: FakeQueue, document: str) -> None:
    trial = {"checked": 0, "complete": True, "jobs": []}
    queue.faults.append((200, trial))
    assert json.loads(run("check", document, "--json").stdout) == trial


def test_refusals_have_classes_of_their_own(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults.append((400, REFUSED))
    with pytest.raises(BadRules) as refusal:
        client.check_rules("{}")
    assert refusal.value.problems[0]["line"] == 2
    queue.faults.append((409, {"error": "stale_rules", "message": "changed", "field": "replaces", "remedy": ""}))
    with pytest.raises(StaleRules):
        client.apply_rules("{}", replaces=1)


def test_findings_list_jobs_started_outside_the_queue(queue: FakeQueue) -> None:
    found = {"name": "theirs", "created_at": "2026-11-21T10:00:00Z", "stopped": True, "violations": [VIOLATION]}
    queue.faults += [(200, {"findings": [found]})] * 2
    shown = run("findings", "--limit", "3").stdout.splitlines()
    assert shown[1].split()[0] == "theirs"
    assert shown[1].endswith("yes      small: too many")
    assert json.loads(run("findings", "--json").stdout) == {"findings": [found]}
    assert [call.path for call in queue.calls] == ["/findings?limit=3", "/findings?limit=50"]


def test_no_findings_are_a_sentence(queue: FakeQueue) -> None:
    queue.faults.append((200, {"findings": []}))
    assert run("findings").stdout == "No jobs started outside the queue break a rule.\n"
