"""The order in which jobs are listed, and where a list goes on: the same whichever store reads it.

A list has three parts: what holds instances, what waits (both by priority and age), and what has ended, newest first.
A page's token is the place at which it ended, in disguise. It also says when the list began: who started later has not
been shown as running, so that such a job stays where it waited, and every job is shown however long the reading takes.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from attrs import evolve, frozen

from scheduler.adapters.dynamodb.records.sort_keys import QUEUE_KEY, SUBMISSION_KEY, moment
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import FINISHED, HELD_OR_PARKED, LIVE, QUEUED, Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.errors.refusals import UnknownToken
from scheduler.ports.job_index import Page

#: One page reads no more than so many records to find what is wanted: an answer has to come within seconds.
MOST_LOOKED_AT = 2000


class Part(StrEnum):
    LIVE = "live"
    WAITING = "waiting"
    ENDED = "ended"


_PARTS = list(Part)
_STATES = {Part.LIVE: LIVE, Part.WAITING: QUEUED | HELD_OR_PARKED, Part.ENDED: FINISHED}
_KEYS = {Part.LIVE: QUEUE_KEY, Part.WAITING: QUEUE_KEY, Part.ENDED: SUBMISSION_KEY}


@frozen
class Place:
    """Behind a job in the list, or before all of a part where there is no key."""

    began: str  # the moment of the first page
    part: Part = Part.LIVE
    key: str = ""

    def at(self, part: Part, key: str = "") -> "Place":
        return evolve(self, part=part, key=key)

    def start_of(self, part: Part) -> str | None:
        """The key behind which the part goes on: empty before the first one, None if all of it was shown."""
        if _PARTS.index(part) < _PARTS.index(self.part):
            return None
        return self.key if part is self.part else ""

    def shows_as_live(self, attempt: Attempt) -> bool:
        return moment(attempt.reserved_at) <= self.began


def has_part(part: Part, wanted: JobFilter) -> bool:
    """Whether anything in that part can be wanted."""
    return not wanted.states or bool(wanted.states & _STATES[part])


def place_of(token: str | None, wanted: JobFilter, now: datetime) -> Place:
    """Where to go on. Raises UnknownToken for what `page_of` cannot have made of such a list."""
    if token is None:
        return Place(moment(now))
    try:
        part, began, key = urlsafe_b64decode(token).decode().split("|")
        place = Place(moment(datetime.fromisoformat(began)), Part(part), key)
    except (ValueError, OverflowError) as error:
        raise _unknown_token() from error
    if place.began != began or not has_part(place.part, wanted) or not _KEYS[place.part].fullmatch(key):
        raise _unknown_token()
    return place


def page_of(jobs: Iterable[tuple[Place, Job | None]], wanted: JobFilter, limit: int) -> Page:
    """The first jobs that are wanted, of those in a list; a token tells where to go on if there are more.

    No job at a place is one that the list has shown in another part.
    """
    found: list[Job] = []
    token = None
    for looked_at, (place, job) in enumerate(jobs):
        if looked_at == MOST_LOOKED_AT or (len(found) == limit and job is not None):
            return Page(tuple(found), token)
        token = _token(place)
        if job is not None and wanted.fits(job):
            found.append(job)
    return Page(tuple(found))


def _token(place: Place) -> str:
    return urlsafe_b64encode(f"{place.part}|{place.began}|{place.key}".encode()).decode()


def _unknown_token() -> UnknownToken:
    return UnknownToken(
        "next is not a token of this queue",
        field="next",
        remedy="pass the value of next from the page before, unchanged, or leave it out",
    )
