"""Reads the table's index of jobs: lists, counts and positions, and the candidates for a plan.

The search for candidates reads line by line. A line holds the waiting jobs of one priority, owner and kind, in queue
order (see `sort_keys.line_key`). Once the search has enough candidates from a line or an owner, it skips the rest of
that line or that owner's jobs.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, islice

from scheduler.adapters.dynamodb.jobs.list_pages import MAX_RECORDS_PER_PAGE, Part, has_part, page_of, position_of
from scheduler.adapters.dynamodb.jobs.lists import BEFORE_ALL, UNFINISHED_PARTITIONS, JobLists, key_and_name, name_in
from scheduler.adapters.dynamodb.jobs.live_attempts import DynamoDBLiveAttempts
from scheduler.adapters.dynamodb.records.job_records import (
    HELD_OR_PARKED_PARTITION,
    QUEUE_PARTITION,
    TIMERS_PARTITION,
    RecordReader,
    readable_job,
)
from scheduler.adapters.dynamodb.records.record_converter import Item
from scheduler.adapters.dynamodb.records.sort_keys import (
    after_timers_until,
    end_of_line,
    end_of_owner,
    positions_among,
    queue_key,
    start_of_rank,
)
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.principal import UNKNOWN_OWNER
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.ordering.candidate_selection import CandidateSelection
from scheduler.ports.job_index import Page, Waiting

# Few jobs may match a filter, so a filtered list reads large pages.
_SEARCH_PAGE = 1000
# The number of keys that fit in one of DynamoDB's answers.
_KEYS_PAGE = 5000
# Most lines are short, so one page contains many. A long line wastes less than one page.
_LINES_PAGE = 50
#: Far more pages than the search needs. Without a limit, owners with many priorities could prolong the search.
MOST_PAGES = 400
_STATES = frozenset(JobState)


class DynamoDBJobIndex:
    def __init__(self, table: Table, live_attempts: DynamoDBLiveAttempts) -> None:
        self._table = table
        self._live_attempts = live_attempts
        self._lists = JobLists(table)
        self._jobs = RecordReader(readable_job)

    def candidates(self, budget: Budget) -> tuple[Job, ...]:
        selection, behind = CandidateSelection(budget.limit), BEFORE_ALL
        for _ in range(MOST_PAGES):
            keys, values = "queue_pk = :queue AND line_sk > :behind", {":queue": QUEUE_PARTITION, ":behind": behind}
            page, is_more = self._table.page(keys, values, size=_LINES_PAGE, index="lines")
            for item in page:
                if item["line_sk"]["S"] > behind:  # otherwise its line or its owner already has enough candidates
                    behind = self._offer(item, selection)
            if selection.is_full or not is_more:
                break
        return tuple(selection.jobs)

    def _offer(self, item: Item, selection: CandidateSelection) -> str:
        """Offers the job to the selection, and returns the key after which the search continues."""
        own_key: str = item["line_sk"]["S"]
        job = self._jobs.read(item)
        if not job.is_readable:
            return own_key
        needs_more = selection.offer(job)
        if not selection.has_place_for(job):
            return end_of_owner(job)
        return own_key if needs_more else end_of_line(job)

    def page(self, job_filter: JobFilter, limit: int, token: str | None, now: datetime) -> Page:
        live = self._live_attempts.live() if has_part(Part.LIVE, job_filter) else ()
        page_size = limit + 1 if job_filter == JobFilter() else _SEARCH_PAGE
        listed = self._lists.listed(live, job_filter, position_of(token, job_filter, now), page_size)
        return page_of(listed, job_filter, limit)

    def waiting(self) -> Iterator[Waiting]:
        partitions = (self._lists.in_queue(partition, page_size=_KEYS_PAGE) for partition in UNFINISHED_PARTITIONS)
        for item in chain.from_iterable(partitions):
            owner = _text_in(item, "owner") or UNKNOWN_OWNER
            yield Waiting(name_in(item), _state_in(item), owner, _text_in(item, "team"))

    def parked_for(self, reason: ReasonCode, token: str | None, limit: int) -> Page:
        held_or_parked = self._lists.in_queue(HELD_OR_PARKED_PARTITION, token or BEFORE_ALL)
        parked = (key_and_name(item) for item in held_or_parked if _state_in(item) is JobState.PARKED)
        found: list[Job] = []
        for number, (key, job) in enumerate(self._lists.current_jobs(parked), start=1):
            if job.status.reason.code is reason:
                found.append(job)
            if len(found) == limit or number == MAX_RECORDS_PER_PAGE:
                return Page(tuple(found), key)
        return Page(tuple(found))

    def due(self, now: datetime, limit: int) -> tuple[Job, ...]:
        keys, values = "ended_pk = :timers AND ended_sk < :end", {":timers": TIMERS_PARTITION}
        items = self._table.index("ended", keys, values | {":end": after_timers_until(now)}, page_size=limit)
        names = ((item["ended_sk"]["S"], name_in(item)) for item in items)
        jobs = (job for _, job in self._lists.current_jobs(islice(names, limit)))
        return tuple(job for job in jobs if job.is_readable)

    def positions(self, jobs: Iterable[Job], within: int) -> dict[str, int]:
        own = {job.name: queue_key(job) for job in jobs if not job.is_deferred}
        if not own:
            return {}
        up_to_last = {":queue": QUEUE_PARTITION, ":last": max(own.values())}
        keys = "queue_pk = :queue AND queue_sk < :last"
        if len(own) == 1:
            position = 1 + self._table.count("queue", keys, up_to_last, at_most=within)
            return dict.fromkeys(own, position) if position <= within else {}
        # One read of the keys serves any number of jobs.
        waiting = self._table.index("queue", keys, up_to_last, page_size=within, only="queue_sk")
        return positions_among(own, [item["queue_sk"]["S"] for item in islice(waiting, within)], within)

    def is_first(self, job: Job) -> bool:
        keys = "queue_pk = :queue AND queue_sk BETWEEN :first AND :own"
        values = {":queue": QUEUE_PARTITION, ":first": start_of_rank(job), ":own": queue_key(job)}
        first, _ = self._table.page(keys, values, size=1, index="queue")
        return not first or first[0]["queue_sk"]["S"] == queue_key(job)


def _state_in(item: Item) -> JobState:
    """Returns the state in the item. If it is invalid, returns the state of a placeholder for an unreadable job."""
    state = _text_in(item, "state")
    return JobState(state) if state in _STATES else JobState.PARKED


def _text_in(item: Item, attribute: str) -> str:
    """Returns the attribute's text; empty if it is missing or is no text."""
    text: str = item.get(attribute, {}).get("S", "")
    return text
