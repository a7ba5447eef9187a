"""Reads the table's jobs in list order, and no further than the caller iterates."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice

from scheduler.adapters.dynamodb.jobs.list_pages import ListPosition, Part, has_part
from scheduler.adapters.dynamodb.records.job_records import (
    DEFERRED_PARTITION,
    ENDED_PARTITION,
    HELD_OR_PARKED_PARTITION,
    JOB_PREFIX,
    QUEUE_PARTITION,
    job_key,
    readable_job,
)
from scheduler.adapters.dynamodb.records.record_converter import Item
from scheduler.adapters.dynamodb.records.sort_keys import queue_key
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.live_job import LiveJob

#: The partitions of the jobs that wait, are held or are parked.
UNFINISHED_PARTITIONS = (QUEUE_PARTITION, DEFERRED_PARTITION, HELD_OR_PARKED_PARTITION)
#: Sorts before every key.
BEFORE_ALL = "-"
# No page shows more waiting jobs. If a filter excludes many, the list reads further pages.
_KEYS_PAGE = 200
_BATCH = 100


@dataclass(frozen=True, slots=True)
class JobLists:
    table: Table

    def listed(
        self, live: Iterable[LiveJob], job_filter: JobFilter, start: ListPosition, page_size: int
    ) -> Iterator[tuple[ListPosition, Job | None]]:
        """Yields the input for `page_of` from `start` on: live, waiting and finished jobs, the last read in pages."""
        running = {live_job.job.name: live_job for live_job in live}
        yield from _running(running, start)
        shown = set(running)
        for position, job in self._not_started(running, job_filter, start):
            shown.add(job.name)
            yield position, job
        if has_part(Part.ENDED, job_filter):
            for key, item in self._ended(start.start_of(Part.ENDED), page_size):
                job = readable_job(item)
                yield start.at(Part.ENDED, key), None if job.name in shown else job

    def current_jobs(self, keyed: Iterable[tuple[str, str]]) -> Iterator[tuple[str, Job]]:
        """Yields each key with the current job of that name.

        Reads jobs in batches, at most one batch ahead.
        """
        ahead = iter(keyed)
        while batch := dict(islice(ahead, _BATCH)):
            items = self.table.items([job_key(name) for name in batch.values()])
            jobs = {job.name: job for job in map(readable_job, items)}
            yield from ((key, jobs[name]) for key, name in batch.items() if name in jobs)

    def in_queue(self, partition: str, behind: str = BEFORE_ALL, page_size: int = _KEYS_PAGE) -> Iterator[Item]:
        """Yields the waiting jobs, with only the attributes in the index."""
        keys, values = "queue_pk = :partition AND queue_sk > :behind", {":partition": partition, ":behind": behind}
        return self.table.index("queue", keys, values, page_size=page_size)

    def _not_started(
        self, live: Mapping[str, LiveJob], job_filter: JobFilter, start: ListPosition
    ) -> Iterator[tuple[ListPosition, Job]]:
        """Yields the waiting jobs, and those that started since the list began."""
        behind = start.start_of(Part.WAITING)
        if behind is None:
            return
        started = [
            (queue_key(live_job.job), name)
            for name, live_job in live.items()
            if not start.shows_as_live(live_job.attempt)
        ]
        keyed = merge(sorted(pair for pair in started if pair[0] > behind), self._waiting(behind, job_filter, live))
        for key, job in self.current_jobs(keyed):
            if not job.is_finished:  # the index lagged behind the table
                yield start.at(Part.WAITING, key), job

    def _waiting(self, behind: str, job_filter: JobFilter, live: Mapping[str, LiveJob]) -> Iterator[tuple[str, str]]:
        partitions = UNFINISHED_PARTITIONS if has_part(Part.WAITING, job_filter) else ()
        items = (self.in_queue(partition, behind or BEFORE_ALL) for partition in partitions)
        return (pair for pair in merge(*(map(key_and_name, some) for some in items)) if pair[1] not in live)

    def _ended(self, behind: str | None, page_size: int) -> Iterator[tuple[str, Item]]:
        keys, values = "ended_pk = :ended", {":ended": ENDED_PARTITION}
        if behind:
            keys, values = f"{keys} AND ended_sk < :behind", {**values, ":behind": behind}
        items = self.table.index("ended", keys, values, page_size=page_size, newest_first=True)
        return ((item["ended_sk"]["S"], item) for item in items)


def key_and_name(item: Item) -> tuple[str, str]:
    return item["queue_sk"]["S"], name_in(item)


def name_in(item: Item) -> str:
    key: str = item["pk"]["S"]
    return key.removeprefix(JOB_PREFIX)


def _running(live: Mapping[str, LiveJob], start: ListPosition) -> Sequence[tuple[ListPosition, Job]]:
    behind = start.start_of(Part.LIVE)
    if behind is None:
        return ()
    jobs = {
        queue_key(live_job.job): live_job.job for live_job in live.values() if start.shows_as_live(live_job.attempt)
    }
    return [(start.at(Part.LIVE, key), jobs[key]) for key in sorted(jobs) if key > behind]
