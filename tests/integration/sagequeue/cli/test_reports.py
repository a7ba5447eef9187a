"""`sagequeue history` and `report`."""

import csv
import json
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from unit.sagequeue.builders.history import GPU, a_change, a_run

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
    assert run("history").stdout == "No changes in this period.\n"
    assert run("report").stdout == "No attempt ended in this period.\n"
    assert run("usage").stdout == "No job held or waited for instances in this period.\n"


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


def test_the_use_of_a_week_has_a_line_for_each_day_and_tells_preemptions(queue: FakeQueue) -> None:
    ended, begun = (datetime.now(UTC) - timedelta(hours=hours) for hours in (20, 32))
    begin = begun.isoformat()
    half_a_day = a_run(instances={GPU: 4}, waited_since=begin, reserved_at=begin, ended_at=ended.isoformat())
    preempted = [{"kind": "preempted", "by": "queue"}]
    change = a_change(team="vision", run=half_a_day, changed_at=ended.isoformat(), done=preempted)
    queue.changes = [{**change, "stopped_for": "urgent"}]
    queue.past_budgets = [{"begins": begin, "budget": {GPU: 8}, "source": "parameter", "changed_by": None}]
    *days, told = run("usage", "--days", "7", "--by", "team").stdout.splitlines()[1:]
    assert [line.split()[0] for line in days] == ["vision"] * 7
    assert [line.split()[3:] for line in days] == [["0", "0"]] * 5 + [["1.33", "0"], ["0.67", "0"]]
    assert told.endswith(f"resnet was preempted for urgent: 1 × {GPU}")
    by_type = run("usage").stdout.splitlines()[1:]
    assert len(by_type) == 13
    assert [line.split()[-1] for line in by_type[:12]] == ["8"] * 12


def test_a_report_for_spreadsheets_is_in_seconds(queue: FakeQueue) -> None:
    queue.changes = [a_change(run=a_run())]
    (line,) = csv.DictReader(run("report", "--csv", "--by", "type", *ALL).stdout.splitlines())
    assert (line["type"], float(line["billable_instance_seconds"])) == ("ml.g5.xlarge", 3600)


def test_a_report_for_programs_includes_missing_changes(queue: FakeQueue) -> None:
    queue.changes = [a_change(version=0), a_change(version=2, run=a_run())]
    answer = json.loads(run("report", "--json", *ALL).stdout)
    assert (answer["missing_changes"], answer["jobs_with_gaps"]) == (1, ["resnet"])
    assert "The history lacks 1 change to resnet" in run("report", *ALL).stdout


@pytest.mark.parametrize(
    ("words", "told"), [(("--by", "colour"), "is not a dimension"), (("--since", "yesterday"), "is not a time")]
)
def test_a_report_that_makes_no_sense_is_wrong_usage(queue: FakeQueue, words: tuple[str, ...], told: str) -> None:
    refused = run("report", *words)
    assert (refused.exit_code, queue.calls) == (2, [])
    assert told in refused.stderr


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_csv_is_a_formula(queue: FakeQueue, begin: str) -> None:
    queue.changes = [a_change(state="completed", team=f"{begin}HYPERLINK(1)", run=a_run())]
    printed = run("report", "--by", "team", "--csv", *ALL).stdout
    assert not printed.splitlines()[0].endswith("r"), "the end of a line is not an escape"
    rows = list(csv.reader(printed.splitlines()))
    assert rows[1][0].startswith(f"'{begin}" if begin.isprintable() else "'")
