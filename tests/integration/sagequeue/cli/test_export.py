"""`sagequeue export`, read back by pyarrow."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyarrow as pa
import pytest
from pyarrow import parquet

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue.contract.history import Change, Run
from sagequeue.reports.parquet import SCHEMA
from unit.sagequeue.builders.history import a_change, a_run

PAGE = (Path(__file__).parents[4] / "docs" / "admin" / "monitor.md").read_text()
ALL = ("--since", "2026-11-20T18:00:00Z", "--until", "2026-11-22T06:00:00Z")
WHOLE = a_change(
    team="vision",
    tags={"project": "x", "stage": ""},
    checkpoint_interval=600,
    done=[{"kind": "preempted", "by": "queue"}],
    run=a_run(outcome="preempted", beneficiary="urgent"),
    stopped_for="urgent",
)


def _day(changes: Path, day: str) -> list[dict[str, Any]]:
    table = parquet.ParquetFile(changes / f"day={day}" / "changes.parquet").read()
    return [_told(row, SCHEMA) for row in table.to_pylist()]


def _told(row: dict[str, Any], fields: Iterable[Any]) -> dict[str, Any]:
    """Returns the change as in the API's answer."""
    return {field.name: _value(row[field.name], field.type) for field in fields}


def _value(value: Any, kind: Any) -> Any:
    if value is None:
        return None
    if pa.types.is_timestamp(kind):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if pa.types.is_map(kind):
        return dict(value)
    return _told(value, kind.fields) if pa.types.is_struct(kind) else value


def test_what_is_read_back_is_the_history(queue: FakeQueue, tmp_path: Path) -> None:
    queue.changes = [a_change(version=0), WHOLE | {"version": 1}]
    assert run("export", str(tmp_path), *ALL).stdout.startswith("Wrote 2 changes to 1 file in ")
    assert _day(tmp_path, "2026-11-21") == queue.changes


def test_a_day_has_a_file_of_its_own_and_its_name_is_a_column(queue: FakeQueue, tmp_path: Path) -> None:
    days = ("2026-11-20", "2026-11-21")
    queue.changes = [a_change(version=version, recorded_at=f"{day}T12:00:00Z") for version, day in enumerate(days)]
    run("export", str(tmp_path), *ALL)
    found = parquet.read_table(tmp_path).to_pylist()
    assert [(str(row["day"]), row["version"]) for row in found] == [(days[0], 0), (days[1], 1)]


@pytest.mark.parametrize(
    ("until", "asked_until"),
    [("2020-03-02T06:00:00Z", "2020-03-03T00:00:00+00:00"), ("2020-03-02T00:00:00Z", "2020-03-02T00:00:00+00:00")],
)
def test_days_are_asked_for_whole(queue: FakeQueue, tmp_path: Path, until: str, asked_until: str) -> None:
    run("export", str(tmp_path), "--since", "2020-03-01T18:00:00Z", "--until", until)
    asked = parse_qs(urlsplit(queue.calls[-1].path).query)
    assert (asked["since"], asked["until"]) == (["2020-03-01T00:00:00+00:00"], [asked_until])


def test_another_export_replaces_a_day(queue: FakeQueue, tmp_path: Path) -> None:
    for changes in ([a_change(version=0)], [a_change(version=0), a_change(version=1)]):
        queue.changes = changes
        assert run("export", str(tmp_path), *ALL).stderr == ""
    assert len(_day(tmp_path, "2026-11-21")) == 2
    assert [path.name for path in tmp_path.rglob("*parquet*")] == ["changes.parquet"]


def test_a_day_that_has_begun_to_expire_keeps_its_file(queue: FakeQueue, tmp_path: Path) -> None:
    queue.changes = [a_change(version=version, recorded_at="2026-11-20T12:00:00Z") for version in (0, 1)]
    run("export", str(tmp_path), *ALL)
    queue.changes = [queue.changes[1], a_change(version=2)]
    exported = run("export", str(tmp_path), *ALL)
    assert [len(_day(tmp_path, day)) for day in ("2026-11-20", "2026-11-21")] == [2, 1]
    assert exported.stdout.startswith("Wrote 1 changes to 1 file in ")
    assert "Kept the existing files of these days, because the history now has fewer changes: 2026-11-20." in (
        exported.stderr
    )


def test_gaps_are_reported_with_their_jobs(queue: FakeQueue, tmp_path: Path) -> None:
    queue.changes = [a_change(version=0), a_change(version=2)]
    assert (
        "Changes missing from the history: 1. Affected jobs: 1 (resnet)." in run("export", str(tmp_path), *ALL).stderr
    )


@pytest.mark.usefixtures("queue")
def test_without_its_package_the_command_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "sagequeue.reports.parquet", None)
    refused = run("export", str(tmp_path))
    assert (refused.exit_code, "pip install 'sagequeue[export]'" in refused.stderr) == (1, True)


def test_a_file_has_every_member_of_a_change_and_of_its_run() -> None:
    assert SCHEMA.names == [*Change.__annotations__]
    assert [field.name for field in SCHEMA.field("run").type.fields] == [*Run.__annotations__]


def test_the_table_of_the_page_has_these_columns_of_these_types() -> None:
    (columns,) = re.findall(r"CREATE EXTERNAL TABLE \w+ \((.*?)\)\nPARTITIONED", PAGE, re.DOTALL)
    ours = ", ".join(f"{field.name} {_in_athena(field.type)}" for field in SCHEMA)
    assert " ".join(columns.split()) == ours


def _in_athena(kind: Any) -> str:
    if pa.types.is_map(kind):
        return f"map<{_in_athena(kind.key_type)},{_in_athena(kind.item_type)}>"
    if pa.types.is_list(kind):
        return f"array<{_in_athena(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return f"struct<{','.join(f'{field.name}:{_in_athena(field.type)}' for field in kind.fields)}>"
    names = {"int32": "int", "int64": "bigint", "bool": "boolean", "timestamp[us, tz=UTC]": "timestamp"}
    return names.get(str(kind), str(kind))
