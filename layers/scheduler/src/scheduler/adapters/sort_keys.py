"""The orders that the queue's records are kept in, as text that sorts: what waits, and what was submitted.

Page tokens are such a key in disguise, so that a token says where to go on whichever store reads it.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import islice

from scheduler.domain.job import Job
from scheduler.errors import BadRequest
from scheduler.policy.backlog import kind_of
from scheduler.ports import Page

# Priorities are within a million of zero; turned round and shifted they are seven digits or fewer.
_LOWEST_RANK = 1_000_000
# Microseconds since 1970 that no clock will show: a time taken off it sorts the latest first.
_LATEST = 10**17
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SUBMISSION_KEY = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00#[a-zA-Z0-9-]{1,63}")


def queue_key(job: Job) -> str:
    """Sorts by priority (highest first), then who was moved to the top (latest first), time of submission, name."""
    return f"{_rank(job)}#{_age(job)}"


def line_key(job: Job) -> str:
    """Sorts by priority, then kind, then as the queue does: jobs of one priority and kind stand in one line."""
    return f"{_line(job)}#{_age(job)}"


def end_of_line(job: Job) -> str:
    """Behind every key of the job's line, before any of the next."""
    return f"{_line(job)}$"


def submission_key(job: Job) -> str:
    """Sorts by time of submission, then name."""
    return f"{moment(job.submitted_at)}#{job.name}"


def moment(time: datetime) -> str:
    """A time as text of fixed width, so that text order is time order."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def page_of(jobs: Iterable[Job], limit: int) -> Page:
    """The first jobs, and a token if there are more."""
    found = tuple(islice(jobs, limit + 1))
    more = len(found) > limit
    return Page(found[:limit], _page_token(found[limit - 1]) if more else None)


def read_page_token(token: str) -> str:
    """The submission key at which a page ended. Raises BadRequest for what `page_of` cannot have made."""
    try:
        key = urlsafe_b64decode(token).decode()
    except ValueError as error:
        raise _unknown_token() from error
    if not _SUBMISSION_KEY.fullmatch(key):
        raise _unknown_token()
    return key


def _line(job: Job) -> str:
    return f"{_rank(job)}#{sha256(repr(kind_of(job)).encode()).hexdigest()[:16]}"


def _rank(job: Job) -> str:
    return f"{_LOWEST_RANK - job.priority:07d}"


def _age(job: Job) -> str:
    return f"{_top(job)}{moment(job.submitted_at)}#{job.name}"


def _top(job: Job) -> str:
    """Sorts before any year."""
    if job.on_top_since is None:
        return ""
    microseconds = (job.on_top_since - _EPOCH) // timedelta(microseconds=1)
    return f"!{_LATEST - microseconds:017d}#"


def _page_token(last: Job) -> str:
    return urlsafe_b64encode(submission_key(last).encode()).decode()


def _unknown_token() -> BadRequest:
    return BadRequest(
        "next is not a token of this queue",
        field="next",
        remedy="pass the value of next from the page before, unchanged, or leave it out",
        code="unknown_token",
    )
