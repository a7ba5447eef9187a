"""The candidates of a plan: of a backlog of any length only the jobs that can matter now.

Jobs of one priority, demand, owner, name stem and time limit are alike in every rule of the policy but age. So of each
such group only as many matter as could start, and one more that waits for them all. By priority and age alone, what
starts now is the same as if the whole backlog were looked at; only several preemptions for jobs of one group may take
several passes. Jobs that are left out are neither charged to their team nor counted among those that wait too long, so
teams and the starvation share may come out otherwise.
"""

from bisect import insort
from collections.abc import Hashable

from scheduler.domain.demand import Demand
from scheduler.domain.history import name_stem
from scheduler.domain.job import Job
from scheduler.policy.ordering import queue_order


class Backlog:
    def __init__(self) -> None:
        self._groups: dict[Hashable, list[Job]] = {}

    def add(self, job: Job) -> None:
        insort(self._groups.setdefault(_alike(job), []), job, key=queue_order)

    def remove(self, job: Job) -> None:
        group = self._groups[_alike(job)]
        group.remove(job)
        if not group:
            del self._groups[_alike(job)]

    def candidates(self, free: Demand) -> tuple[Job, ...]:
        return tuple(job for group in self._groups.values() for job in group[: _could_start(group[0], free) + 1])


def _could_start(job: Job, free: Demand) -> int:
    return max(0, min(free[kind] // count for kind, count in job.demand.counts))


def _alike(job: Job) -> Hashable:
    return (job.priority, job.demand.counts, job.owner, name_stem(job.name), job.max_runtime)
