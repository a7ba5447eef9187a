"""`sagequeue prices`, against recorded answers of the API."""

from pathlib import Path

from click.testing import CliRunner, Result

from integration.sagequeue.fakes.queue import PRICES, FakeQueue
from sagequeue.cli.main import main

DOCUMENT = '{"format": 1, "as_of": "2026-11-20",\n "prices": []}\n'
IN_FORCE = {**PRICES, "version": 3, "text": DOCUMENT, "changed_by": "ada", "changed_at": "2026-11-21T10:00:00Z"}


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["prices", *words])


def test_each_price_is_shown_with_its_day(queue: FakeQueue) -> None:
    _, _, line = run().stdout.splitlines()
    assert queue.calls[0].path == "/prices"
    assert line.split() == ["ml.g5.xlarge", "1.500", "1", "2026-09-25", "a"]


def test_an_unknown_price_is_not_shown_as_zero(queue: FakeQueue) -> None:
    price = {"dollars_per_hour": None, "as_of": None, "source": None, "spot_share": 0.4, "gpus": 8}
    queue.faults.append((200, {**PRICES, "prices": {"ml.new.xlarge": price}}))
    line = run().stdout.splitlines()[-1]
    assert ("not known" in line, "40%" in line) == (True, True)


def test_without_any_known_price_a_sentence_is_shown(queue: FakeQueue) -> None:
    queue.faults.append((200, {**PRICES, "region": "eu-west-1", "prices": {}}))
    assert run().stdout.startswith("No known prices in eu-west-1")


def test_show_prints_what_can_be_applied_again(queue: FakeQueue) -> None:
    queue.faults.append((200, IN_FORCE))
    assert run("show").stdout == DOCUMENT


def test_apply_sends_the_very_text(queue: FakeQueue, tmp_path: Path) -> None:
    (tmp_path / "prices.json").write_text(DOCUMENT)
    queue.faults.append((200, IN_FORCE))
    result = run("apply", str(tmp_path / "prices.json"), "--replaces", "2")
    assert (result.exit_code, result.stdout) == (0, "Applied version 3\n")
    assert (queue.calls[0].method, queue.calls[0].path) == ("PUT", "/prices?replaces=2")
    assert queue.calls[0].raw == DOCUMENT.encode()


def test_problems_are_printed_line_by_line(queue: FakeQueue, tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(DOCUMENT)
    problem = {"line": 2, "field": "prices", "message": "must be a list"}
    told = {"error": "bad_prices", "message": "no", "field": "prices", "remedy": "Mend it.", "problems": [problem]}
    queue.faults.append((400, told))
    result = run("apply", str(path))
    assert (result.exit_code, f"{path}:2: prices must be a list" in result.stderr) == (1, True)
