"""The waiting jobs of a replay, kept in lines so that candidates need no search (core/planner/ordering).

The clock of a replay stands still between passes, so of each kind those suffice that could start on what is free, and
one more: what a cycle does in one pass may take several here, and comes to the same.
"""

from bisect import insort
from collections import defaultdict
from collections.abc import Hashable, Iterator
from operator import attrgetter

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.candidate_selection import candidate_group, max_concurrent_jobs

_AGE = attrgetter("submitted_at", "name")


class Backlog:
    def __init__(self) -> None:
        self._lines: defaultdict[Demand, dict[Hashable, list[Job]]] = defaultdict(dict)

    def add(self, job: Job) -> None:
        insort(self._lines[job.demand].setdefault(_line(job), []), job, key=_AGE)

    def remove(self, job: Job) -> None:
        lines = self._lines[job.demand]
        line = lines[_line(job)]
        line.remove(job)
        if not line:
            del lines[_line(job)]

    def candidates(self, free: Demand) -> Iterator[Job]:
        for demand, lines in self._lines.items():
            most = max_concurrent_jobs(demand, free) + 1
            for line in lines.values():
                yield from line[:most]


def _line(job: Job) -> Hashable:
    return (job.priority, candidate_group(job))
