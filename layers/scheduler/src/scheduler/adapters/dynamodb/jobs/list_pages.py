"""Defines the order of job lists, and the tokens that continue a list. Every store uses them.

A list has three parts: jobs that hold instances and waiting jobs (both by priority and age), then finished jobs, most
recently ended first. A page's token encodes the end of the page, and the time at which the list began. A job that
started after that time stays in the waiting part, since no page showed it as running. So the list shows every job,
however long a client takes to read it. One exception: a job may change its state while a page is being read, because
the parts are read one after the other, and the indexes lag.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from scheduler.adapters.dynamodb.records.sort_keys import ENDED_KEY, QUEUE_KEY, moment
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import FINISHED, HELD_OR_PARKED, LIVE, QUEUED
from scheduler.errors.refusals import UnknownToken
from scheduler.ports.job_index import Page

#: The most records that one page reads to find matching jobs: the caller needs an answer within seconds.
MAX_RECORDS_PER_PAGE = 2000


class Part(StrEnum):
    LIVE = "live"
    WAITING = "waiting"
    ENDED = "ended"


_PARTS = list(Part)
_STATES = {Part.LIVE: LIVE, Part.WAITING: QUEUED | HELD_OR_PARKED, Part.ENDED: FINISHED}
_KEYS = {Part.LIVE: QUEUE_KEY, Part.WAITING: QUEUE_KEY, Part.ENDED: ENDED_KEY}


@dataclass(frozen=True, slots=True)
class ListPosition:
    """A position in the list: after the job with the key, or at the start of the part if the key is empty."""

    began: str  # the time of the first page
    part: Part = Part.LIVE
    key: str = ""

    def at(self, part: Part, key: str = "") -> "ListPosition":
        return replace(self, part=part, key=key)

    def start_of(self, part: Part) -> str | None:
        """Returns the key after which the part continues: empty at its start, None if all of it was shown."""
        if _PARTS.index(part) < _PARTS.index(self.part):
            return None
        return self.key if part is self.part else ""

    def shows_as_live(self, attempt: Attempt) -> bool:
        return moment(attempt.reserved_at) <= self.began


def has_part(part: Part, job_filter: JobFilter) -> bool:
    """Returns whether jobs in that part can match the filter."""
    return not job_filter.states or bool(job_filter.states & _STATES[part])


def _may_end_in(part: Part, job_filter: JobFilter) -> bool:
    """Returns whether a page with that filter can end in the part. Jobs that just started are in the waiting part."""
    return has_part(part, job_filter) or (part is Part.WAITING and has_part(Part.LIVE, job_filter))


def position_of(token: str | None, job_filter: JobFilter, now: datetime) -> ListPosition:
    """Returns the place where the list continues. Raises UnknownToken for a token from another list."""
    if token is None:
        return ListPosition(moment(now))
    try:
        part, began, key = urlsafe_b64decode(token).decode().split("|")
        position = ListPosition(moment(datetime.fromisoformat(began)), Part(part), key)
    except (ValueError, OverflowError) as error:
        raise UnknownToken("queue", token) from error
    if position.began != began or not _may_end_in(position.part, job_filter) or not _KEYS[position.part].fullmatch(key):
        raise UnknownToken("queue", token)
    return position


def page_of(jobs: Iterable[tuple[ListPosition, Job | None]], job_filter: JobFilter, limit: int) -> Page:
    """Returns the first matching jobs of a list, with a token to continue if there are more.

    A position has no job if the list has shown that job in another part.
    """
    found: list[Job] = []
    tokens: list[str] = []
    token = None
    for number, (position, job) in enumerate(jobs):
        if number == MAX_RECORDS_PER_PAGE or (len(found) == limit and job is not None):
            return Page(tuple(found), token, tuple(tokens))
        token = _token(position)
        if job is not None and job_filter.fits(job):
            found.append(job)
            tokens.append(token)
    return Page(tuple(found), None, tuple(tokens))


def _token(position: ListPosition) -> str:
    return urlsafe_b64encode(f"{position.part}|{position.began}|{position.key}".encode()).decode()
