"""Keeps the waiting jobs of a replay in groups, so that candidates need no search (core/planner/ordering).

Each group offers the jobs that could start on free instances, and one more. A replay may need several passes where a
cycle needs one. The result is the same, because the clock of a replay stands still between passes.
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
        self._groups: defaultdict[Demand, dict[Hashable, list[Job]]] = defaultdict(dict)

    def __bool__(self) -> bool:
        return any(self._groups.values())

    def add(self, job: Job) -> None:
        insort(self._groups[job.spec.demand].setdefault(_group_of(job), []), job, key=_AGE)

    def remove(self, job: Job) -> None:
        groups = self._groups[job.spec.demand]
        group = groups[_group_of(job)]
        group.remove(job)
        if not group:
            del groups[_group_of(job)]

    def candidates(self, free: Demand) -> Iterator[Job]:
        for demand, groups in self._groups.items():
            count = max_concurrent_jobs(demand, free) + 1
            for group in groups.values():
                yield from group[:count]


def _group_of(job: Job) -> Hashable:
    return (job.options.priority, candidate_group(job))
