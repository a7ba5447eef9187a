"""No text that others wrote reaches a terminal as a command: each control character is shown as an escape."""

import json
import re
from typing import Any

import pytest

from integration.sagequeue.fakes import aws as fake_aws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, YOU, FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.history import a_change
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt

#: Writes to the clipboard (OSC 52), clears the screen, colours by C1, reverses the order, rings, overwrites, deletes.
HOSTILE = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b31m\u202eevil\r\x7f\u2066"
#: What a terminal obeys, apart from tab and newline.
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
#: Members of answers that others word.
TEXTS = ("message", "failure_reason", "owner", "action", "comment", "remedy", "by", "author", "rule", "scope", "team")
WAITING = {
    "name": "resnet",
    "state": "pending",
    "position": 1,
    "reason": {"code": "waits_for_budget", "message": "m"},
    "waits_for": [HOSTILE],
    "priority": None,
    "starts": None,
    "near_limits": [HOSTILE],
    "ranking": [HOSTILE],
    "pools": [{"pool": HOSTILE, "fields": [HOSTILE]}],
}
VERSION = {"version": 7, "author": "a", "applied_at": "2026-11-21T10:00:00Z", "comment": "c", "changed": ["rules"]}
ERROR = {"error": HOSTILE, "message": "m", "field": HOSTILE, "remedy": "r"}
VIOLATION = {"rule": "r", "field": "f", "message": "m", "remedy": "r"}


def hostile(answer: Any) -> Any:
    """Returns the answer with hostile characters in each text that others word."""
    if isinstance(answer, list):
        return [hostile(entry) for entry in answer]
    if not isinstance(answer, dict):
        return answer
    return {
        name: value + HOSTILE if name in TEXTS and isinstance(value, str) else hostile(value)
        for name, value in answer.items()
    }


def a_failed_job() -> dict[str, Any]:
    attempt = an_attempt(1, "failed", failure_reason="f", failure_class="user", action="a")
    actions = [{"at": "2026-11-21T10:00:00Z", "kind": "held", "by": "b", "message": "m"}]
    request = a_request(HyperParameters={HOSTILE: HOSTILE})
    job = a_job("failed", attempts=[attempt], actions=actions, warnings=[VIOLATION], team="t", request=request)
    return {**hostile(job), "owner": f"arn:aws:sts::123456789012:assumed-role/team/{HOSTILE}"}


ANSWERS: dict[tuple[str, ...], Any] = {
    ("show", "resnet"): a_failed_job(),
    ("ls",): {"jobs": [a_failed_job()], "next": None, "budget": {}, "arrays": []},
    ("why", "resnet"): hostile(WAITING),
    ("cancel", "resnet"): a_failed_job(),
    ("history",): {"changes": [hostile(a_change())], "next": None},
    ("whoami",): {**YOU, "entry": HOSTILE, "arn": HOSTILE, "principal": HOSTILE},
    ("findings",): {
        "findings": [
            {
                "name": HOSTILE,
                "created_at": "2026-11-21T10:00:00Z",
                "stopped": False,
                "violations": [hostile(VIOLATION)],
            }
        ]
    },
    ("config", "show"): {**hostile(VERSION), "sections": {"rules": {"rules": [{"name": HOSTILE}]}}},
    ("config", "log"): {"versions": [hostile(VERSION)], "next": None},
}


def assert_visible(*printed: str) -> None:
    assert [OBEYED.findall(text) for text in printed] == [[]] * len(printed)


@pytest.mark.parametrize("words", ANSWERS, ids=" ".join)
def test_answers(queue: FakeQueue, words: tuple[str, ...]) -> None:
    queue.faults += [(200, ANSWERS[words])] * 2
    plain = run(*words)
    assert plain.exit_code in {0, 10}, plain.output
    assert_visible(plain.stdout, plain.stderr)
    assert "]52" in plain.stdout.replace("\n", ""), "it is shown"
    queue.faults[:] = [(200, ANSWERS[words])] * 2
    as_json = run(*words, "--json") if words != ("config", "show") else plain
    assert_visible(as_json.stdout, as_json.stderr)


def test_json_keeps_its_values(queue: FakeQueue) -> None:
    queue.faults.append((200, a_failed_job()))
    assert json.loads(run("show", "resnet", "--json").stdout) == a_failed_job()


@pytest.mark.parametrize("status", [400, 403, 409])
def test_errors(queue: FakeQueue, status: int) -> None:
    refused = hostile(ERROR)
    queue.faults += [
        (status, refused),
        (422, {**refused, "error": "rule_violated", "violations": [hostile(VIOLATION)]}),
    ]
    for words in (("show", "resnet"), ("prio", "resnet", "3")):
        result = run(*words)
        assert result.exit_code
        assert_visible(result.stdout, result.stderr)
    assert r"\x1b]52" in result.stderr


def test_config_diff(queue: FakeQueue) -> None:
    sections = ({"rules": {"rules": [{"name": name}]}} for name in ("small", HOSTILE))
    queue.faults += [(200, {**hostile(VERSION), "sections": found}) for found in sections]
    result = run("config", "diff", "5", "7")
    assert result.exit_code == 0
    assert_visible(result.stdout, result.stderr)


@pytest.mark.usefixtures("aws")
def test_logs(client: QueueClient, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    client.submit(a_request())
    clock.now = 8 * STAGE_SECONDS

    def events(body: dict[str, Any]) -> dict[str, Any]:
        page = sent(body)
        return {**page, "events": [{**event, "message": event["message"] + HOSTILE} for event in page["events"]]}

    sent = fake_aws._events
    monkeypatch.setattr(fake_aws, "_events", events)
    plain, as_json = run("logs", "resnet"), run("logs", "resnet", "--json")
    assert_visible(plain.stdout, as_json.stdout)
    assert r"\x1b[2J" in plain.stdout
    assert HOSTILE in json.loads(as_json.stdout.splitlines()[1])["text"]
