"""QueueClient's calls on the configuration, against recorded API answers."""

import pytest

from integration.sagequeue.fakes.queue import DEFAULTS, FakeQueue
from sagequeue import BadConfig, LocksOut, NotPermitted, QueueClient, QueueRefusal, StaleConfig, UnknownVersion

CONFIG = {**DEFAULTS, "sections": {}}
PROBLEM = {"line": 2, "field": "rules", "message": "must be a list"}


def test_a_section_alone_has_its_kind_in_the_path(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults += [(200, CONFIG)] * 4
    client.config("rules")
    client.plan_config("[]", "callers")
    client.apply_config("[]", "callers", replaces=3, comment="no & more")
    client.roll_back_config(2, replaces=3)
    assert [(call.method, call.path) for call in queue.calls] == [
        ("GET", "/config/rules"),
        ("POST", "/config/callers/plan"),
        ("PUT", "/config/callers?replaces=3&comment=no%20%26%20more"),
        ("POST", "/config/rollback?version=2&replaces=3"),
    ]
    assert queue.calls[2].raw == b"[]"


def test_a_kind_never_becomes_another_path(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults.append((200, CONFIG))
    client.config("../budget")
    assert queue.calls[0].path == "/config/..%2Fbudget"


def test_versions_are_read_page_by_page_as_they_are_needed(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults += [
        (200, {"versions": [{**DEFAULTS, "version": n}], "next": after}) for n, after in ((2, "2"), (1, None))
    ]
    versions = client.config_versions()
    assert next(versions)["version"] == 2
    assert len(queue.calls) == 1
    assert [version["version"] for version in versions] == [1]
    assert [call.path for call in queue.calls] == ["/config/versions", "/config/versions?next=2"]


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "bad_config", BadConfig),
        (409, "stale_config", StaleConfig),
        (404, "unknown_version", UnknownVersion),
        (409, "locks_out", LocksOut),
        (403, "not_permitted", NotPermitted),
    ],
)
def test_each_refusal_is_an_error_of_its_own(
    client: QueueClient, queue: FakeQueue, status: int, code: str, kind: type[QueueRefusal]
) -> None:
    queue.faults.append((status, {"error": code, "message": "No", "field": None, "remedy": "", "problems": [PROBLEM]}))
    with pytest.raises(kind, match="No") as refusal:
        client.apply_config("{}")
    assert refusal.value.status == status


def test_every_problem_of_a_file_is_in_the_error(client: QueueClient, queue: FakeQueue) -> None:
    refusal = {"error": "bad_config", "message": "No", "field": "rules", "remedy": "", "problems": [PROBLEM]}
    queue.faults.append((400, refusal))
    with pytest.raises(BadConfig) as caught:
        client.plan_config("rules: {}")
    assert caught.value.problems == [PROBLEM]
