"""`sagequeue whoami` and `callers`, and the queue's own refusals, against recorded answers of the API."""

import json
import re
from pathlib import Path

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from sagequeue.api.document_errors import BadCallers, LocksOut, StaleCallers
from sagequeue.errors import AccessDenied, NotPermitted

PAGE = Path(__file__).parents[5] / "docs" / "callers.md"
DOCUMENT = '{"format": 1,\n "callers": []}\n'
IN_FORCE = {"version": 3, "text": DOCUMENT, "changed_by": "ada", "changed_at": "2026-11-21T10:00:00Z"}
YOU = {
    "arn": "arn:aws:sts::123456789012:assumed-role/Vision/ada",
    "principal": "role/Vision",
    "entry": "vision",
    "verbs": ["control_own", "submit"],
    "teams": ["vision"],
    "execution_roles": ["arn:aws:iam::123456789012:role/train/*"],
    "instance_types": None,
    "priority_ceiling": 10,
}
NO_SUBMISSION = {"rule": "vision", "field": "owner", "message": "lacks the permission submit", "remedy": "ask"}


def refusal(code: str) -> dict[str, object]:
    return {"error": code, "message": "role/Vision lacks the permission operate", "field": None, "remedy": "Ask."}


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "callers.json"
    path.write_text(DOCUMENT)
    return str(path)


def test_whoami_shows_identity_and_permissions(queue: FakeQueue) -> None:
    queue.faults += [(200, YOU)] * 2
    lines = run("whoami").stdout.splitlines()
    assert [line.split(maxsplit=1)[1] for line in lines[:3]] == ["role/Vision", "vision", "control_own, submit"]
    assert lines[-1].endswith("at most 10")
    assert json.loads(run("whoami", "--json").stdout) == YOU


def test_the_page_shows_whoami_as_it_is_without_a_document(queue: FakeQueue) -> None:
    roles = ["arn:*:iam::123456789012:role/*SageMaker*"]
    limits = {"teams": [], "execution_roles": roles, "priority_ceiling": None}
    queue.faults.append((200, {**YOU, "entry": "everybody", **limits}))
    (shown,) = re.findall(r"^\$ sagequeue whoami\n(.*?)```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert [line.rstrip() for line in run("whoami").stdout.splitlines()] == shown.splitlines()


def test_show_prints_what_can_be_applied_again(queue: FakeQueue) -> None:
    queue.faults.append((200, IN_FORCE))
    assert run("callers", "show").stdout == DOCUMENT


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ([], "/callers"),
        (["--replaces", "2"], "/callers?replaces=2"),
        (["--hand-over"], "/callers?hand_over=true"),
    ],
)
def test_apply_sends_the_very_text(queue: FakeQueue, document: str, options: list[str], path: str) -> None:
    queue.faults.append((200, IN_FORCE))
    assert run("callers", "apply", document, *options).stdout == "Applied version 3\n"
    assert (queue.calls[0].method, queue.calls[0].path, queue.calls[0].raw) == ("PUT", path, DOCUMENT.encode())


def test_check_shows_affected_jobs_and_own_permissions(queue: FakeQueue, document: str) -> None:
    nothing: dict[str, list[object]] = {"violations": [], "warnings": []}
    job = {"name": "a", "state": "pending", "before": nothing, "after": {"violations": [NO_SUBMISSION], "warnings": []}}
    queue.faults.append((200, {"checked": 1, "complete": True, "jobs": [job], "you": YOU}))
    lines = run("callers", "check", document).stdout.splitlines()
    assert lines[:4] == [
        "a (pending)",
        "  + violates vision: lacks the permission submit",
        "1 of 1 jobs affected",
        "your permissions under it:",
    ]


def test_problems_are_printed_line_by_line(queue: FakeQueue, document: str) -> None:
    problem = {"line": 2, "field": "callers", "message": "must be a list"}
    queue.faults.append((400, refusal("bad_callers") | {"problems": [problem]}))
    assert f"{document}:2: callers must be a list" in run("callers", "apply", document).stderr


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (403, "not_permitted", NotPermitted),
        (403, "not_permitted", AccessDenied),
        (409, "stale_callers", StaleCallers),
        (409, "locks_out", LocksOut),
        (400, "bad_callers", BadCallers),
    ],
)
def test_refusals_have_classes_of_their_own(
    client: QueueClient, queue: FakeQueue, status: int, code: str, kind: type[Exception]
) -> None:
    queue.faults.append((status, refusal(code)))
    with pytest.raises(kind, match="lacks the permission operate"):
        client.apply_callers("{}")


def test_a_command_that_is_not_permitted_ends_like_any_that_is_not_allowed(queue: FakeQueue) -> None:
    queue.faults.append((403, refusal("not_permitted")))
    result = run("drain")
    assert (result.exit_code, result.stderr) == (4, "Error: role/Vision lacks the permission operate\nAsk.\n")
