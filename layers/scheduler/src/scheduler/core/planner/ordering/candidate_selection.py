"""Selects the candidates of a plan: of a backlog of any length, only the jobs that can matter now.

Jobs of one priority, demand, owner and time limit form a group: almost every rule of the policy treats them alike,
except by age. In each group, only so many jobs matter as the whole budget could run at once, and one more that waits
for them. These start exactly as if the plan considered the whole backlog. The oldest of each group is always among
them, for the starvation share. No group, instance type, owner or team can hide behind the backlog of another.

Four differences remain, each bounded:
- Jobs left out are not charged to their team within this plan.
- With `shortest`, name stems are compared only among the oldest jobs of a group.
- If the first MIN_PER_GROUP jobs of a group all wait for one checkpoint prefix, no more of the group are considered.
- The same applies if a spending limit on a tag holds all of them.
"""

from collections import Counter
from collections.abc import Hashable

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job

#: The least number of candidates per group: these may wait for something else than the budget.
MIN_PER_GROUP = 25
#: The cost of a plan must not grow with the backlog. If there are more groups, jobs of lower priority are left out.
MAX_CANDIDATES = 2000
#: The least number of owners among that many candidates: jobs of one owner beyond its share give way to other owners'.
_OWNERS = 8


def candidate_group(job: Job) -> tuple[Hashable, ...]:
    """Returns the group's key without the priority. It depends on all choices, not on the one considered now."""
    group: tuple[Hashable, ...] = (job.owner, job.spec.demand.counts, job.spec.max_runtime)
    if job.choices:
        choices = (
            (choice.demand.counts, choice.max_runtime, choice.spot, choice.wait_for_better) for choice in job.choices
        )
        group = (job.owner, *choices)
    # Shortages depend on the location. On-demand jobs without subnets add nothing: SageMaker chooses the zone.
    locations = (job.spec.spot and not job.status.on_demand and not job.choices, *job.spec.subnets)
    return (*group, locations) if any(locations) else group


class CandidateSelection:
    """Collects candidates from jobs offered group by group, the oldest of a group first."""

    def __init__(self, limit: Demand, at_least: int = MIN_PER_GROUP) -> None:
        self._limit, self._at_least = limit, at_least
        self._remaining: dict[Hashable, int] = {}  # how many more jobs of each group seen so far are wanted
        self._in_shares: list[Job] = []
        self._beyond_shares: list[Job] = []  # they give way to the former
        self._of_owner = Counter[str]()  # jobs within the owner's share

    @property
    def jobs(self) -> list[Job]:
        return [*self._in_shares, *self._beyond_shares]

    @property
    def is_full(self) -> bool:
        return len(self._in_shares) >= MAX_CANDIDATES

    def offer(self, job: Job) -> bool:
        """Adds the job if its group needs more. Returns whether the group needs more after it."""
        group = (job.options.priority, candidate_group(job))
        if group not in self._remaining:
            concurrent = sum(max_concurrent_jobs(option.spec.demand, self._limit) for option in job.each_choice)
            self._remaining[group] = max(self._at_least, concurrent + 1)
        if self._remaining[group] and not self.is_full:
            self._add(job)
            self._remaining[group] -= 1
        return self._remaining[group] > 0

    def has_place_for(self, job: Job) -> bool:
        """Returns whether a further job of this owner, of whatever group, could be a candidate."""
        return self._is_in_share(job) or len(self._in_shares) + len(self._beyond_shares) < MAX_CANDIDATES

    def _add(self, job: Job) -> None:
        if self._is_in_share(job):
            self._in_shares.append(job)
            self._of_owner[job.owner_key] += 1
            del self._beyond_shares[MAX_CANDIDATES - len(self._in_shares) :]
        elif self.has_place_for(job):
            self._beyond_shares.append(job)

    def _is_in_share(self, job: Job) -> bool:
        return self._of_owner[job.owner_key] < MAX_CANDIDATES // _OWNERS


def max_concurrent_jobs(demand: Demand, limit: Demand) -> int:
    return max(0, min(limit[instance_type] // count for instance_type, count in demand.counts))
