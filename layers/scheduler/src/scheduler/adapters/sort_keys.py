"""The orders that the queue's records are kept in, as text that sorts: what waits, and what was submitted.

Page tokens are such a key in disguise, so that a token says where to go on whichever store reads it.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from scheduler.domain.job import Job
from scheduler.domain.job_filter import JobFilter
from scheduler.policy.backlog import kind_of
from scheduler.ports import Page
from scheduler.refusals import UnknownToken

# Priorities are within a million of zero; turned round and shifted they are seven digits or fewer.
_LOWEST_RANK = 1_000_000
# Microseconds since 1970 that no clock will show: a time taken off it sorts the latest first.
_LATEST = 10**17
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: One page reads no more than so many records to find what is wanted: an answer has to come within seconds.
MOST_LOOKED_AT = 2000
_AGE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00#[a-zA-Z0-9-]{1,63}"
_SUBMISSION_KEY = re.compile(_AGE)
_QUEUE_KEY = re.compile(r"\d{7}#(!\d{17}#)?" + _AGE)


def queue_key(job: Job) -> str:
    """Sorts by priority (highest first), then who was moved to the top (latest first), time of submission, name."""
    return f"{_rank(job)}#{_age(job)}"


def start_of_rank(job: Job) -> str:
    """Before the queue keys of all jobs of its priority."""
    return f"{_rank(job)}#"


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


def places(own: Mapping[str, str], ahead: Sequence[str], within: int | None) -> dict[str, int]:
    """The place of each key, from 1, behind the first keys of the queue; those beyond `within` places are left out."""
    found = {name: 1 + bisect_left(ahead, key) for name, key in own.items()}
    return {name: place for name, place in found.items() if within is None or place <= within}


def page_of(jobs: Iterable[tuple[str, Job]], wanted: JobFilter, limit: int) -> Page:
    """The first jobs that are wanted, of pairs of key and job; a token tells where to go on if there are more."""
    found: list[Job] = []
    last = ""
    for looked_at, (key, job) in enumerate(jobs):
        if len(found) == limit or looked_at == MOST_LOOKED_AT:
            return Page(tuple(found), urlsafe_b64encode(last.encode()).decode())
        last = key
        if wanted.fits(job):
            found.append(job)
    return Page(tuple(found))


def read_page_token(token: str, wanted: JobFilter) -> str:
    """The key at which a page ended. Raises UnknownToken for what `page_of` cannot have made of such a list."""
    try:
        key = urlsafe_b64decode(token).decode()
    except ValueError as error:
        raise _unknown_token() from error
    if not (_QUEUE_KEY if wanted.wants_only_unfinished else _SUBMISSION_KEY).fullmatch(key):
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


def _unknown_token() -> UnknownToken:
    return UnknownToken(
        "next is not a token of this queue",
        field="next",
        remedy="pass the value of next from the page before, unchanged, or leave it out",
    )
