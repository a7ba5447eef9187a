"""The candidates of a plan: of a backlog of any length only the jobs that can matter now.

Jobs of one priority, demand, owner, name stem and time limit are alike in every rule of the policy but age. So of each
such group only the first few can matter; when they have all been launched, the next pass looks at those behind them.
"""

from bisect import insort
from collections.abc import Hashable

from scheduler.domain.history import name_stem
from scheduler.domain.job import Job
from scheduler.policy.ordering import queue_order

#: How many of a group one pass looks at: a plan rarely starts more of a kind at once.
DEPTH = 2


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

    def candidates(self) -> tuple[Job, ...]:
        return tuple(job for group in self._groups.values() for job in group[:DEPTH])


def _alike(job: Job) -> Hashable:
    return (job.priority, job.demand.counts, job.owner, name_stem(job.name), job.max_runtime)
