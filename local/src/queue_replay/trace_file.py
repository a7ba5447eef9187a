"""Reads the jobs of any cluster from a CSV file (docs/admin/tune.md lists its columns).

A trace has submissions and durations, but no attempts. So there is no recorded schedule to compare with its replay.
"""

import csv
import gzip
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from math import ceil, isfinite
from pathlib import Path
from typing import TextIO

from queue_replay.recorded_jobs import RecordedJob, Recording
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job, JobOptions, JobSpec, JobStatus
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.sections.durations import LONGEST_DURATION

#: Seconds from the reservation of an attempt to the start of its training, and SageMaker's default time limit.
STARTUP, _USUAL_LIMIT = 300.0, 86_400.0
_REQUIRED = ("submit_s", "duration_s", "instances")
COLUMNS = (*_REQUIRED, "priority", "max_runtime_s", "user", "name", "instance_type", "checkpoint_s")
_MOST_INSTANCES, _MOST_PRIORITY = 1_000_000, 1_000_000
#: The latest time that Python can represent, with room for the durations.
_LATEST = datetime(9000, 1, 1, tzinfo=UTC).timestamp()


class BadTrace(Exception):
    """Reports a wrong trace. The message names the line, the column, the value and the fix."""


def read_trace(path: Path, usual_type: str | None, usual_checkpoint: int | None) -> Recording:
    """Reads a trace, gzipped if its name ends with .gz. Raises BadTrace.

    `usual_type` is the instance type of jobs that name none, and `usual_checkpoint` the seconds between their saves.
    """
    try:
        with _opened(path) as file:
            rows = csv.DictReader(file)
            _check_columns(rows.fieldnames or ())
            jobs = [_Row(rows.line_num, row).job(usual_type, usual_checkpoint) for row in rows]
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
        raise BadTrace(f"It is not readable as CSV: {error}") from error
    _check_names(jobs)
    jobs.sort(key=lambda recorded: (recorded.job.submitted_at, recorded.job.name))
    return Recording(tuple(jobs), left_out=0, startup=STARTUP, stopping=0.0)


def unused_columns(path: Path) -> Sequence[str]:
    with _opened(path) as file:
        return [name for name in next(csv.reader(file), ()) if name not in COLUMNS]


def _opened(path: Path) -> TextIO:
    """Opens the file without the byte order mark that spreadsheets write."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", newline="", encoding="utf-8-sig")
    return path.open(newline="", encoding="utf-8-sig")


def _check_columns(names: Sequence[str]) -> None:
    if missing := [name for name in _REQUIRED if name not in names]:
        raise BadTrace(f"Line 1: the column {missing[0]} is missing. The first line must name {', '.join(_REQUIRED)}.")


def _check_names(jobs: Sequence[RecordedJob]) -> None:
    seen = set[str]()
    for recorded in jobs:
        if recorded.job.name in seen:
            raise BadTrace(f'The name "{recorded.job.name}" occurs twice. Change one of them.')
        seen.add(recorded.job.name)


class _Row:
    def __init__(self, line: int, values: Mapping[str, str | None]) -> None:
        self._line, self._values = line, values

    def job(self, usual_type: str | None, usual_checkpoint: int | None) -> RecordedJob:
        submitted_at = datetime.fromtimestamp(0, UTC) + timedelta(seconds=self._number("submit_s", _LATEST))
        duration = self._number("duration_s", LONGEST_DURATION)
        every = self._whole("checkpoint_s", LONGEST_DURATION, usual_checkpoint or 0)
        priority = self._whole("priority", _MOST_PRIORITY, 0, least=-_MOST_PRIORITY)
        name = self._text("name") or f"job-{self._line - 1:06d}"
        job = Job(
            name=name,
            owner=self._text("user") or "unknown",
            digest="",
            submitted_at=submitted_at,
            spec=JobSpec(
                demand=Demand.of({self._instance_type(usual_type): self._instances()}),
                max_runtime=ceil(max(duration, self._number("max_runtime_s", LONGEST_DURATION, _USUAL_LIMIT))),
                checkpoint_uri=f"s3://replay/{name}" if every else None,
            ),
            options=JobOptions(priority, checkpoint_interval=every or None),
            status=JobStatus(JobState.PENDING, Reason(ReasonCode.SUBMITTED), updated_at=submitted_at),
        )
        return RecordedJob(job, duration, ())

    def _instance_type(self, usual: str | None) -> str:
        found = self._text("instance_type") or usual
        if found is None:
            raise self._bad("instance_type", "is empty, and the budget has several types. Name one")
        return found

    def _instances(self) -> int:
        if not (count := self._whole("instances", _MOST_INSTANCES)):
            raise self._bad("instances", "must be at least 1")
        return count

    def _whole(self, column: str, most: int, usual: int | None = None, least: int = 0) -> int:
        number = self._number(column, most, usual, least)
        if number != int(number):
            raise self._bad(column, "must be a whole number")
        return int(number)

    def _number(self, column: str, most: float, usual: float | None = None, least: float = 0) -> float:
        text = self._text(column)
        if not text and usual is not None:
            return usual
        try:
            number = float(text)
        except ValueError:
            raise self._bad(column, "is not a number") from None
        if not (isfinite(number) and least <= number <= most):
            raise self._bad(column, f"must be from {least:.0f} to {most:.0f}")
        return number

    def _text(self, column: str) -> str:
        return (self._values.get(column) or "").strip()

    def _bad(self, column: str, problem: str) -> BadTrace:
        return BadTrace(f'Line {self._line}: {column} "{self._text(column)}" {problem}.')
