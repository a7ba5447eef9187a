"""The waiting jobs of a replay, kept in the lines of scheduler.policy.backlog so that candidates need no search.

The clock of a replay stands still between passes, so of each kind those suffice that could start on what is free, and
one more: what a cycle does in one pass may take several here, and comes to the same.
"""

from bisect import insort
from collections.abc import Hashable
from operator import attrgetter

from scheduler.domain.demand import Demand
from scheduler.domain.job import Job
from scheduler.policy.backlog import kind_of, most_at_once

_AGE = attrgetter("submitted_at", "name")


class Backlog:
    def __init__(self) -> None:
        self._lines: dict[Hashable, list[Job]] = {}

    def add(self, job: Job) -> None:
        insort(self._lines.setdefault(_line(job), []), job, key=_AGE)

    def remove(self, job: Job) -> None:
        line = self._lines[_line(job)]
        line.remove(job)
        if not line:
            del self._lines[_line(job)]

    def candidates(self, free: Demand) -> tuple[Job, ...]:
        most = {
            counts: most_at_once(Demand(counts), free) + 1
            for counts in {line[0].demand.counts for line in self._lines.values()}
        }
        return tuple(job for line in self._lines.values() for job in line[: most[line[0].demand.counts]])


def _line(job: Job) -> Hashable:
    return (job.priority, kind_of(job))
