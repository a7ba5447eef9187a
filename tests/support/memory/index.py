"""Keeps the job index in memory: lists, counts and positions."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from operator import itemgetter

from scheduler.adapters.dynamodb.jobs.list_pages import ListPosition, Part, page_of, position_of
from scheduler.adapters.dynamodb.records.sort_keys import (
    ended_key,
    line_key,
    positions_among,
    queue_key,
    start_of_rank,
    successor_key,
    timer_key,
)
from scheduler.core.calendar.times.timers import next_timer
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import HELD_OR_PARKED, QUEUED, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.ordering.candidate_selection import CandidateSelection
from scheduler.ports.job_index import Page, Waiting
from scheduler.ports.job_store import NO_JOBS
from support.memory.records import MemoryRecords


class MemoryIndex(MemoryRecords):
    """Implements the port `JobIndex`."""

    def candidates(self, budget: Budget) -> tuple[Job, ...]:
        selection = CandidateSelection(budget.limit)
        for job in sorted(self._queued(), key=line_key):
            if not job.is_deferred:
                selection.offer(job)
        return tuple(selection.jobs)

    def live(self, _known: Mapping[str, Job] = NO_JOBS, *, consistent: bool = True) -> tuple[LiveJob, ...]:
        del consistent  # memory never lags
        return tuple(LiveJob(self.jobs[attempt.job_name], attempt) for _, attempt in sorted(self.attempts.items()))

    def page(self, job_filter: JobFilter, limit: int, token: str | None, now: datetime) -> Page:
        start = position_of(token, job_filter, now)
        live = {attempt.job_name for attempt in self.attempts.values() if start.shows_as_live(attempt)}
        listed: dict[Part, list[tuple[str, Job]]] = {part: [] for part in Part}
        for job in self.jobs.values():
            part = Part.LIVE if job.name in live else Part.ENDED if job.is_finished else Part.WAITING
            listed[part].append((ended_key(job) if part is Part.ENDED else queue_key(job), job))
        return page_of(_from(start, listed), job_filter, limit)

    def waiting(self) -> Iterator[Waiting]:
        return (
            Waiting(job.name, job.status.state, job.owner, job.options.team)
            for job in self.jobs.values()
            if job.status.state in QUEUED | HELD_OR_PARKED
        )

    def parked_for(self, reason: ReasonCode, token: str | None, limit: int) -> Page:
        parked = sorted(
            (queue_key(job), job)
            for job in self.jobs.values()
            if job.status.state is JobState.PARKED and job.status.reason.code is reason
        )
        found = [pair for pair in parked if pair[0] > (token or "")][:limit]
        return Page(tuple(job for _, job in found), found[-1][0] if len(found) == limit else None)

    def due(self, now: datetime, limit: int) -> tuple[Job, ...]:
        timers = ((due, job) for job in self.jobs.values() if (due := next_timer(job)) is not None and due <= now)
        return tuple(job for _, job in sorted(timers, key=lambda timer: timer_key(timer[1], timer[0]))[:limit])

    def successors(self, name: str, limit: int) -> tuple[Job, ...]:
        waiting = (job for job in self._queued() if job.status.awaits == name)
        return tuple(sorted(waiting, key=successor_key)[:limit])

    def all_successors(self, token: str | None, limit: int) -> Page:
        keyed = sorted((successor_key(job), job) for job in self.jobs.values() if job.follows_others)
        found = [pair for pair in keyed if pair[0] > (token or "")][:limit]
        return Page(tuple(job for _, job in found), found[-1][0] if len(found) == limit else None)

    def positions(self, jobs: Iterable[Job], within: int) -> dict[str, int]:
        keys = sorted(queue_key(job) for job in self._queued() if not job.is_deferred)
        own = {job.name: queue_key(job) for job in jobs if not job.is_deferred}
        return positions_among(own, keys[:within], within)

    def is_first(self, job: Job) -> bool:
        return not any(start_of_rank(job) < key < queue_key(job) for key in map(queue_key, self._queued()))


def _from(start: ListPosition, listed: dict[Part, list[tuple[str, Job]]]) -> Iterator[tuple[ListPosition, Job]]:
    for part, jobs in listed.items():
        newest_first = part is Part.ENDED
        behind = start.start_of(part)
        for key, job in sorted(jobs, key=itemgetter(0), reverse=newest_first):
            if behind == "" or (behind is not None and (key < behind if newest_first else key > behind)):
                yield start.at(part, key), job
