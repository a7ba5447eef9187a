"""Writes the history as Parquet files, one folder per day, for Athena and other readers.

`pyarrow` comes with the extra sagequeue[export].
"""

import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from sagequeue.contract.history import Change

_TIME = pa.timestamp("us", tz="UTC")
_COUNTS = pa.map_(pa.string(), pa.int32())
_RUN = pa.struct(
    {
        "number": pa.int32(),
        "name": pa.string(),
        "outcome": pa.string(),
        "waited_since": _TIME,
        "reserved_at": _TIME,
        "training_started_at": _TIME,
        "ended_at": _TIME,
        "instances": _COUNTS,
        "billable_seconds": pa.int64(),
        "retained_seconds": pa.int64(),
        "spot": pa.bool_(),
        "interruptions": pa.int32(),
        "interrupted_seconds": pa.int64(),
        "failure_class": pa.string(),
        "beneficiary": pa.string(),
        "lost_seconds_at_most": pa.float64(),
        "lost_is_measured": pa.bool_(),
    }
)
#: The members of a change, in the order of docs/reference/events.md.
SCHEMA = pa.schema(
    {
        "job": pa.string(),
        "version": pa.int32(),
        "recorded_at": _TIME,
        "changed_at": _TIME,
        "written_by": pa.string(),
        "state": pa.string(),
        "reason": pa.struct({"code": pa.string(), "message": pa.string()}),
        "priority": pa.int32(),
        "instances": _COUNTS,
        "owner": pa.string(),
        "team": pa.string(),
        "tags": pa.map_(pa.string(), pa.string()),
        "submitted_at": _TIME,
        "max_runtime": pa.int32(),
        "checkpoint_interval": pa.int32(),
        "has_checkpoints": pa.bool_(),
        "never_preempt": pa.bool_(),
        "done": pa.list_(pa.struct({"kind": pa.string(), "by": pa.string()})),
        "run": _RUN,
        "stopped_for": pa.string(),
    }
)


def write_days(changes: Iterable[Change], folder: Path) -> dict[str, int]:
    """Writes a file such as `day=2026-11-21/changes.parquet` for each UTC day of recording; replaces existing files.

    If a day's file has more changes, the history has begun to expire, and the file is kept. Returns the number of
    changes that were written for each day; 0 for a kept file. `changes` must be in the order of their recording.
    """
    return {
        day: _write(folder / f"day={day}", same_day)
        for day, same_day in groupby(changes, lambda change: change["recorded_at"][:10])
    }


def _write(folder: Path, changes: Iterable[Change]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    file, unfinished = folder / "changes.parquet", folder / ".changes.parquet.new"  # Athena ignores hidden files
    rows = [_row(change, SCHEMA) for change in changes]
    if file.exists() and parquet.read_metadata(file).num_rows > len(rows):
        return 0
    parquet.write_table(pa.Table.from_pylist(rows, SCHEMA), unfinished, compression="zstd")
    os.replace(unfinished, file)  # a concurrent reader sees the old or the new file
    return len(rows)


def _row(record: Mapping[str, Any], fields: Iterable[pa.Field]) -> dict[str, Any]:
    return {field.name: _value(record[field.name], field.type) for field in fields}


def _value(value: Any, kind: pa.DataType) -> Any:
    if value is None:
        return None
    if pa.types.is_timestamp(kind):
        return datetime.fromisoformat(value)
    if pa.types.is_map(kind):
        return list(value.items())
    if pa.types.is_struct(kind):
        return _row(value, kind.fields)
    return value
