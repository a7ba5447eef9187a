"""`sagequeue history` and `report`."""

import csv
import json
from urllib.parse import parse_qs, urlsplit

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from unit.sagequeue.builders.history import a_change, a_run

ALL = ("--since", "2026-11-21T00:00:00Z", "--until", "2026-11-22T00:00:00Z")


def test_the_history_shows_actions_callers_and_reasons(queue: FakeQueue) -> None:
    done = {"kind": "held", "by": "arn:aws:sts::123456789012:assumed-role/team/anna"}
    queue.changes = [a_change(done=[done], state="held", reason={"code": "held", "message": "until Monday"})]
    (line,) = run("history", *ALL).stdout.splitlines()[1:]
    for word in ("resnet", "held", "anna", "until Monday"):
        assert word in line


def test_all_pages_are_read(queue: FakeQueue) -> None:
    queue.changes = [a_change(version=version) for version in range(5)]
    assert len(json.loads(run("history", "--json", *ALL).stdout)) == 5


def test_one_job_can_be_asked_for(queue: FakeQueue) -> None:
    run("history", "bert")
    assert parse_qs(urlsplit(queue.calls[-1].path).query)["job"] == ["bert"]


@pytest.mark.usefixtures("queue")
def test_an_empty_history_shows_a_sentence() -> None:
    assert run("history").stdout == "No changes in this time.\n"
    assert run("report").stdout == "No attempt ended in this time.\n"


def test_a_report_has_a_line_for_each_group_and_their_sum(queue: FakeQueue) -> None:
    queue.changes = [a_change("one", team="vision", run=a_run()), a_change("two", run=a_run(end=3))]
    lines = [line.split() for line in run("report", "--by", "team", *ALL).stdout.splitlines()]
    assert [line[0] for line in lines] == ["team", "(none)", "vision", "total"]
    assert lines[-1][1:] == [
        "2",
        "2",
        "60.0",
        "min",
        "60.0",
        "min",
        "3.00",
        "3.00",
        *["0.00"] * 3,
        "4.50",
        "0.00",
        "0.00",
    ]


def test_a_report_for_spreadsheets_is_in_seconds(queue: FakeQueue) -> None:
    queue.changes = [a_change(run=a_run())]
    (line,) = csv.DictReader(run("report", "--csv", "--by", "type", *ALL).stdout.splitlines())
    assert (line["type"], float(line["billable_instance_seconds"])) == ("ml.g5.xlarge", 3600)


def test_a_report_for_programs_includes_missing_changes(queue: FakeQueue) -> None:
    queue.changes = [a_change(version=0), a_change(version=2, run=a_run())]
    answer = json.loads(run("report", "--json", *ALL).stdout)
    assert (answer["missing_changes"], answer["jobs_with_gaps"]) == (1, ["resnet"])
    assert "The history lacks 1 change of resnet" in run("report", *ALL).stdout


@pytest.mark.parametrize(
    ("words", "told"), [(("--by", "colour"), "is not one of"), (("--since", "yesterday"), "is not a time")]
)
def test_a_report_that_makes_no_sense_is_wrong_usage(queue: FakeQueue, words: tuple[str, ...], told: str) -> None:
    refused = run("report", *words)
    assert (refused.exit_code, queue.calls) == (2, [])
    assert told in refused.stderr
