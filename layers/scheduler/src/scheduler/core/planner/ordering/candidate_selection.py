"""The candidates of a plan: of a backlog of any length only the jobs that can matter now.

Jobs of one priority, demand, owner and time limit are alike in almost every rule of the policy but age. Of each such
kind only as many matter as the whole budget could run at once, and one more that waits for them all: they start exactly
as if the whole backlog were looked at, the oldest of a kind is always there for the starvation share, and no kind, type
or team can hide behind the backlog of another.

Four differences stay, each bounded: jobs that are left out are not charged to their team within this plan; with
`shortest`, name stems are compared among the oldest of a kind; a kind whose first MIN_PER_GROUP all wait for one
checkpoint prefix is not looked at further; nor is one whose first are all held by a spending limit on a tag.
"""

from collections.abc import Hashable, Iterable

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job

#: So many of each kind in any case: they may wait for something else than the budget.
MIN_PER_GROUP = 25
#: A plan's cost must not grow with the backlog. Where there are more kinds, lower priorities are left for later.
MAX_CANDIDATES = 2000


def candidate_group(job: Job) -> tuple[Hashable, ...]:
    """Told by what its choices are, not by which of them it is considered with."""
    kind: tuple[Hashable, ...] = (job.owner, job.demand.counts, job.max_runtime)
    if job.choices:
        choices = ((one.demand.counts, one.max_runtime, one.spot, one.wait_for_better) for one in job.choices)
        kind = (job.owner, *choices)
    # Elsewhere there may be instances; nothing is added where SageMaker looks on demand and wherever it likes.
    places = (job.spot and not job.on_demand and not job.choices, *job.subnets)
    return (*kind, places) if any(places) else kind


class CandidateSelection:
    """Picks candidates while the backlog goes by: kind by kind, the oldest of a kind first."""

    def __init__(self, limit: Demand, at_least: int = MIN_PER_GROUP, at_most: int = MAX_CANDIDATES) -> None:
        self.jobs: list[Job] = []
        self._limit, self._at_least, self._at_most = limit, at_least, at_most
        self._wanted: dict[Hashable, int] = {}  # of each line that was met, so many more

    @property
    def is_full(self) -> bool:
        return len(self.jobs) >= self._at_most

    def offer(self, job: Job) -> bool:
        """Whether more like it are wanted."""
        line = _line(job)
        wanted = self._wanted[line] if line in self._wanted else self._enough_like(job)
        if wanted and not self.is_full:
            self.jobs.append(job)
            wanted -= 1
        self._wanted[line] = wanted
        return wanted > 0

    def _enough_like(self, job: Job) -> int:
        most = sum(max_concurrent_jobs(one.demand, self._limit) for one in job.each_choice)
        return max(self._at_least, most + 1)


def candidates(in_lines: Iterable[Job], limit: Demand) -> tuple[Job, ...]:
    picking = CandidateSelection(limit)
    for job in in_lines:
        picking.offer(job)
    return tuple(picking.jobs)


def max_concurrent_jobs(demand: Demand, room: Demand) -> int:
    return max(0, min(room[instance_type] // count for instance_type, count in demand.counts))


def _line(job: Job) -> Hashable:
    return (job.priority, candidate_group(job))
