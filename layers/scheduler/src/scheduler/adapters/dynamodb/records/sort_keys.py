"""Builds the sort keys of the indexes, as text: the orders of waiting jobs and of ended ones."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.candidate_selection import candidate_group

# Priorities are within a million of zero; negated and shifted they have seven digits or fewer.
_LOWEST_RANK = 1_000_000
# Microseconds since 1970 beyond any real time: times subtracted from it sort the latest first.
_LATEST = 10**17
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_AGE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00#[a-zA-Z0-9-]{1,63}"
ENDED_KEY = re.compile(_AGE)
QUEUE_KEY = re.compile(r"\d{7}#(!\d{17}#)?" + _AGE)


def queue_key(job: Job) -> str:
    """Sorts by priority (highest first), then jobs moved to the top (latest first), time of submission, name."""
    return f"{_rank(job)}#{_age(job)}"


def start_of_rank(job: Job) -> str:
    """Returns a key before the queue keys of all jobs of its priority."""
    return f"{_rank(job)}#"


def line_key(job: Job) -> str:
    """Sorts by priority, owner, kind, then in queue order: jobs of one priority, owner and kind form one line."""
    return f"{_line(job)}#{_age(job)}"


def end_of_line(job: Job) -> str:
    """Returns a key behind every key of the job's line and before those of the next line."""
    return f"{_line(job)}$"


def end_of_owner(job: Job) -> str:
    """Returns a key behind every line of the job's owner and priority, and before those of the next owner."""
    return f"{_lines_of_owner(job)}$"


def ended_key(job: Job) -> str:
    """Sorts ended jobs by the time at which they ended, then by name."""
    return f"{moment(job.status.updated_at)}#{job.name}"


def timer_key(job: Job, due: datetime) -> str:
    """Sorts jobs by the time of their next timer, then in queue order."""
    return f"{moment(due)}#{queue_key(job)}"


def after_timers_until(now: datetime) -> str:
    """Returns a key behind those of all timers that are due."""
    return f"{moment(now)}$"


def moment(time: datetime) -> str:
    """Returns the time as text of fixed width, so that text sorts like time."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def positions_among(own: Mapping[str, str], ahead: Sequence[str], within: int) -> dict[str, int]:
    """Returns the place of each key, from 1, behind the first keys of the queue, up to `within` places."""
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
    """Sorts before any year."""
    if job.status.on_top_since is None:
        return ""
    microseconds = (job.status.on_top_since - _EPOCH) // timedelta(microseconds=1)
    return f"!{_LATEST - microseconds:017d}#"
