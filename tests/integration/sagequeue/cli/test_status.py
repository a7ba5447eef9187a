"""`sagequeue whoami`, `prices`, `spending`, `pools` and `findings`, against recorded API answers."""

import json
import re
from pathlib import Path
from typing import Any

from integration.sagequeue.fakes.queue import PRICES, FakeQueue
from integration.sagequeue.fakes.shell import run

PAGE = Path(__file__).parents[4] / "docs" / "admin" / "callers.md"
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
MONTH = {"name": "2026-11", "begins": "2026-11-01T00:00:00Z", "ends": "2026-12-01T00:00:00Z", "time_zone": "UTC"}
USE: dict[str, Any] = {
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
NO_POOLS: dict[str, Any] = {"pools": [], "refused": []}
POOL = {
    "name": "warm-sq-1",
    "job": "warm",
    "instances": {"ml.g5.xlarge": 2},
    "since": "2026-11-21T10:00:00Z",
    "until": "2026-11-21T10:30:00Z",
    "lent_to": None,
    "cost": 1.4083,
    "fits": ["next"],
    "match": {"RoleArn": "arn:aws:iam::123456789012:role/SageMakerRole"},
}
VIOLATION = {"rule": "small", "field": "ResourceConfig", "message": "too many", "remedy": "fewer"}


def test_whoami_shows_identity_and_permissions(queue: FakeQueue) -> None:
    queue.faults += [(200, YOU)] * 2
    lines = run("whoami").stdout.splitlines()
    assert [line.split(maxsplit=1)[1] for line in lines[:3]] == ["role/Vision", "vision", "control_own, submit"]
    assert lines[-1].endswith("at most 10")
    assert json.loads(run("whoami", "--json").stdout) == YOU


def test_the_page_shows_whoami_as_it_is_by_default(queue: FakeQueue) -> None:
    roles = ["arn:*:iam::123456789012:role/queue/*"]
    limits = {"teams": [], "execution_roles": roles, "priority_ceiling": None}
    queue.faults.append((200, {**YOU, "entry": "everybody", **limits}))
    (shown,) = re.findall(r"^\$ sagequeue whoami\n(.*?)```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert [line.rstrip() for line in run("whoami").stdout.splitlines()] == shown.splitlines()


def test_each_price_is_shown_with_its_day(queue: FakeQueue) -> None:
    _, _, line = run("prices").stdout.splitlines()
    assert queue.calls[0].path == "/prices"
    assert line.split() == ["ml.g5.xlarge", "1.500", "1", "2026-09-25", "a"]


def test_an_unknown_price_is_not_shown_as_zero(queue: FakeQueue) -> None:
    price = {"dollars_per_hour": None, "as_of": None, "source": None, "spot_share": 0.4, "gpus": 8}
    queue.faults.append((200, {**PRICES, "prices": {"ml.new.xlarge": price}}))
    line = run("prices").stdout.splitlines()[-1]
    assert ("not known" in line, "40%" in line) == (True, True)


def test_without_any_known_price_a_sentence_is_shown(queue: FakeQueue) -> None:
    queue.faults.append((200, {**PRICES, "region": "eu-west-1", "prices": {}}))
    assert run("prices").stdout.startswith("No known prices in eu-west-1")


def test_each_use_of_a_limit_is_a_line(queue: FakeQueue) -> None:
    queue.faults.append((200, {"month": MONTH, "uses": [USE], "left_out": 0}))
    line = run("spending").stdout.splitlines()[-1]
    assert queue.calls[0].path == "/spending"
    for part in ("vision", "team vision", "500.2 GPU h", "1.5 GPU h", "640.0 GPU h", "used up", "it is used up"):
        assert part in line


def test_uses_that_the_answer_leaves_out_are_counted(queue: FakeQueue) -> None:
    queue.faults.append((200, {"month": MONTH, "uses": [USE], "left_out": 7}))
    assert run("spending").stdout.splitlines()[-1] == "… and 7 more with less use"


def test_dollars_and_unknown_amounts_are_shown_as_such(queue: FakeQueue) -> None:
    unknown = {**USE, "measure": "dollars", "used": None, "running": None, "forecast": None, "state": "unknown"}
    queue.faults.append((200, {"month": MONTH, "uses": [unknown], "left_out": 0}))
    line = run("spending").stdout.splitlines()[-1]
    assert ("$500.00" in line, line.count("not known")) == (True, 3)


def test_without_limits_a_sentence_is_shown(queue: FakeQueue) -> None:
    queue.faults.append((200, {"month": None, "uses": [], "left_out": 0}))
    assert run("spending").stdout == "No spending limits are set.\n"


def test_each_pool_is_a_line(queue: FakeQueue) -> None:
    queue.faults.append((200, {"pools": [POOL], "refused": []}))
    _, line = run("pools").stdout.splitlines()
    assert line.split()[:4] == ["warm-sq-1", "2", "×", "ml.g5.xlarge"]
    assert "$1.41" in line
    assert line.rstrip().endswith("next")


def test_a_pool_without_a_known_price_shows_that(queue: FakeQueue) -> None:
    queue.faults.append((200, {"pools": [POOL | {"cost": None}], "refused": []}))
    assert "no known price" in run("pools").stdout


def test_no_pools_are_a_sentence(queue: FakeQueue) -> None:
    queue.faults.append((200, NO_POOLS))
    assert run("pools").stdout == "No warm pools.\n"


def test_types_without_the_requested_pools_are_shown(queue: FakeQueue) -> None:
    refused = {"refused": [{"instance_type": "ml.g5.xlarge", "since": "2026-11-21T10:00:00Z"}]}
    queue.faults.append((200, NO_POOLS | refused))
    assert "its warm-pool quota is 0 or used up" in " ".join(run("pools").stdout.split())


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
    assert run("findings").stdout == "No training job outside the queue breaks a rule.\n"


def test_a_command_that_is_not_permitted_ends_like_any_that_is_not_allowed(queue: FakeQueue) -> None:
    message = "role/Vision lacks the permission operate"
    queue.faults.append((403, {"error": "not_permitted", "message": message, "field": None, "remedy": "Ask."}))
    result = run("drain")
    assert (result.exit_code, result.stderr) == (4, f"Error: {message}\nAsk.\n")
