"""`sagequeue pools`, against recorded answers of the API."""

from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue.cli.main import main

DOCUMENT = '{"format": 1,\n "pools": []}\n'
IN_FORCE = {"version": 3, "text": DOCUMENT, "changed_by": "ada", "changed_at": "2026-11-21T10:00:00Z"}
NOTHING: dict[str, Any] = {"pools": [], "refused": []}
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


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["pools", *words])


def test_each_pool_is_a_line(queue: FakeQueue) -> None:
    queue.faults.append((200, {"pools": [POOL], "refused": []}))
    _, line = run().stdout.splitlines()
    assert line.split()[:4] == ["warm-sq-1", "2", "×", "ml.g5.xlarge"]
    assert "$1.41" in line
    assert line.rstrip().endswith("next")


def test_a_pool_without_a_known_price_shows_that(queue: FakeQueue) -> None:
    queue.faults.append((200, {"pools": [POOL | {"cost": None}], "refused": []}))
    assert "no known price" in run().stdout


def test_no_pools_are_a_sentence(queue: FakeQueue) -> None:
    queue.faults.append((200, NOTHING))
    assert run().stdout == "No warm pools.\n"


def test_an_older_stack_without_refused_pools_is_read(queue: FakeQueue) -> None:
    queue.faults.append((200, {"pools": []}))
    assert run().stdout == "No warm pools.\n"


def test_types_without_the_requested_pools_are_shown(queue: FakeQueue, tmp_path: Path) -> None:
    (tmp_path / "pools.json").write_text(DOCUMENT)
    refused = {"refused": [{"instance_type": "ml.g5.xlarge", "since": "2026-11-21T10:00:00Z"}]}
    queue.faults += [(200, NOTHING | refused), (200, IN_FORCE), (200, NOTHING | refused)]
    told = "its warm-pool quota is 0 or used up"
    assert told in " ".join(run().stdout.split())
    assert told in run("rules", "apply", str(tmp_path / "pools.json")).stderr


def test_show_prints_what_can_be_applied_again(queue: FakeQueue) -> None:
    queue.faults.append((200, IN_FORCE))
    assert run("rules", "show").stdout == DOCUMENT


def test_apply_sends_the_very_text(queue: FakeQueue, tmp_path: Path) -> None:
    (tmp_path / "pools.json").write_text(DOCUMENT)
    queue.faults += [(200, IN_FORCE), (200, NOTHING)]
    result = run("rules", "apply", str(tmp_path / "pools.json"), "--replaces", "2")
    assert (result.exit_code, result.stdout) == (0, "Applied version 3\n")
    assert (queue.calls[0].method, queue.calls[0].path) == ("PUT", "/pools/rules?replaces=2")
    assert queue.calls[0].raw == DOCUMENT.encode()


def test_problems_are_printed_line_by_line(queue: FakeQueue, tmp_path: Path) -> None:
    path = tmp_path / "pools.json"
    path.write_text(DOCUMENT)
    problem = {"line": 2, "field": "pools", "message": "must be a list"}
    refusal = {
        "error": "bad_pool_rules",
        "message": "no",
        "field": "pools",
        "remedy": "Mend it.",
        "problems": [problem],
    }
    queue.faults.append((400, refusal))
    result = run("rules", "apply", str(path))
    assert (result.exit_code, f"{path}:2: pools must be a list" in result.stderr) == (1, True)
