"""Builds the sort keys of the indexes, as text.

The keys define the order of waiting jobs and the order of finished jobs.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.candidate_selection import candidate_group

# Priorities range from -1,000,000 to 1,000,000. Subtracted from this, they have at most seven digits.
_LOWEST_RANK = 1_000_000
# Microseconds since 1970, beyond any real time. Times subtracted from it sort the latest first.
_LATEST = 10**17
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_AGE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00#[a-zA-Z0-9-]{1,63}"
ENDED_KEY = re.compile(_AGE)
QUEUE_KEY = re.compile(r"\d{7}#(!\d{17}#)?" + _AGE)


def queue_key(job: Job) -> str:
    """Sorts by priority (highest first), then moves to the top (latest first), time of submission, and name."""
    return f"{_rank(job)}#{_age(job)}"


def start_of_rank(job: Job) -> str:
    """Returns a key that sorts before the queue keys of all jobs with the same priority."""
    return f"{_rank(job)}#"


def line_key(job: Job) -> str:
    """Sorts by priority, owner and kind, then in queue order. Jobs that share these three form one line."""
    return f"{_line(job)}#{_age(job)}"


def end_of_line(job: Job) -> str:
    """Returns a key that sorts after all keys in the job's line, and before those in the next line."""
    return f"{_line(job)}$"


def end_of_owner(job: Job) -> str:
    """Returns a key that sorts after all lines with the job's owner and priority, and before the next owner's lines."""
    return f"{_lines_of_owner(job)}$"


def ended_key(job: Job) -> str:
    """Sorts finished jobs by the time of their end, then by name."""
    return f"{moment(job.status.updated_at)}#{job.name}"


def timer_key(job: Job, due: datetime) -> str:
    """Sorts jobs by the time of their next timer, then in queue order."""
    return f"{moment(due)}#{queue_key(job)}"


def after_timers_until(now: datetime) -> str:
    """Returns a key that sorts after the keys of all timers due by this time."""
    return f"{moment(now)}$"


def successor_key(job: Job) -> str:
    """Sorts jobs that wait for other jobs by the job that each waits for, then in queue order."""
    return f"{job.status.awaits}#{queue_key(job)}"


def successors_of(name: str) -> tuple[str, str]:
    """Returns keys that sort before and after the keys of all jobs that wait for the job with this name."""
    return f"{name}#", f"{name}$"


def moment(time: datetime) -> str:
    """Returns the time as text of fixed width, so that texts sort like times."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def positions_among(own: Mapping[str, str], ahead: Sequence[str], within: int) -> dict[str, int]:
    """Returns the position of each key, from 1, among the keys `ahead`. Leaves out positions after `within`."""
    found = {name: 1 + bisect_left(ahead, key) for name, key in own.items()}
    return {name: place for name, place in found.items() if place <= within}


def _line(job: Job) -> str:
    return f"{_lines_of_owner(job)}#{_digest(repr(candidate_group(job)))}"


def _lines_of_owner(job: Job) -> str:
    return f"{_rank(job)}#{_digest(job.owner_key)}"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _rank(job: Job) -> str:
    return f"{_LOWEST_RANK - job.options.priority:07d}"


def _age(job: Job) -> str:
    return f"{_top(job)}{moment(job.submitted_at)}#{job.name}"


def _top(job: Job) -> str:
    """Returns the part of the key for a job that was moved to the top, which sorts before any year; else empty."""
    if job.status.on_top_since is None:
        return ""
    microseconds = (job.status.on_top_since - _EPOCH) // timedelta(microseconds=1)
    return f"!{_LATEST - microseconds:017d}#"
