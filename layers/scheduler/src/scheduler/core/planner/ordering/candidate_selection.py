"""Selects the candidates of a plan: the jobs of a backlog, however long, that can affect the plan now.

Jobs with the same priority, demand, owner, chosen team and time limit form a group. Jobs with and without checkpoints
are in different groups, and so are jobs with and without a failure. Apart from their age, almost every rule in the
policy treats them alike. In each group, only as many jobs matter as the whole budget could run at once, plus one that
waits for them. The candidates start exactly as they would if the plan considered the whole backlog. They include the
oldest job of each group, for the starvation share. A long backlog from one group, instance type, owner or team does not
hide other jobs.

Compared with a plan of the whole backlog, five differences remain, each bounded:
- The omitted jobs are not charged to their teams in this plan.
- The ordering `shortest` compares jobs by name stem only among the oldest jobs of a group.
- If the first MIN_PER_GROUP jobs of a group all wait for one checkpoint prefix, its later jobs are not considered.
- The same applies if a spending limit on a tag holds all these jobs.
- The same applies if all these jobs have failed and wait to retry. The later jobs then have failed, too.
"""

from collections import Counter
from collections.abc import Hashable

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ChoiceOrder

#: Minimum number of candidates per group, since some of them may wait for something other than the budget.
MIN_PER_GROUP = 25
#: The cost of a plan must not grow with the backlog. If more jobs matter, those of lower priority are left out.
MAX_CANDIDATES = 2000
#: One owner's share of the candidates is one in this many. Jobs beyond the share give way to other owners' jobs.
_OWNERS = 8


def candidate_group(job: Job) -> tuple[Hashable, ...]:
    """Returns the key of the job's group, without the priority. It covers all choices of the job, not only one."""
    group: tuple[Hashable, ...] = (job.owner, job.spec.demand.counts, job.spec.max_runtime)
    if job.choices:
        choices = (
            (
                choice.demand.counts,
                choice.max_runtime,
                choice.spot,
                choice.wait_for_better,
                choice.checkpoint_uri is None,
            )
            for choice in job.choices
        )
        group = (job.owner, *choices)
        if job.options.order is ChoiceOrder.BEST:  # its choices are ranked by where they run
            group = (*group, job.options.order, job.status.on_demand)
    # Shortages depend on the location. On-demand jobs without subnets add none, because SageMaker chooses the zone.
    locations = (job.is_on_spot and not job.choices, *job.spec.subnets)
    if job.spec.checkpoint_uri is not None and not job.choices:
        group = (*group, "saves")  # the calendar may let such a job start when it lets no other
    if job.status.not_before:
        group = (*group, "retries")  # jobs that wait to retry must not hide jobs that may start now
    if job.options.team:
        group = (*group, "team", job.options.team)
    if job.is_never_preempted:
        group = (*group, "never preempt")  # such a job cannot borrow everything that others can
    if job.options.interactive:
        group = (*group, "interactive")  # a cap applies to these jobs together
    if job.place and job.place.at_most:
        group = (*group, job.place.array)  # its limit applies to no other job
    return (*group, locations) if any(locations) else group


class CandidateSelection:
    """Collects candidates from jobs that are offered group by group, oldest first within each group."""

    def __init__(self, limit: Demand, at_least: int = MIN_PER_GROUP) -> None:
        self._limit, self._at_least = limit, at_least
        self._remaining: dict[Hashable, int] = {}  # how many more jobs each known group needs
        self._in_shares: list[Job] = []
        self._beyond_shares: list[Job] = []  # these give way to jobs within a share
        self._of_owner = Counter[str]()  # jobs within the owner's share

    @property
    def jobs(self) -> list[Job]:
        return [*self._in_shares, *self._beyond_shares]

    @property
    def is_full(self) -> bool:
        return len(self._in_shares) >= MAX_CANDIDATES

    def offer(self, job: Job) -> bool:
        """Adds the job if its group needs more candidates. Returns whether the group then still needs more."""
        group = (job.options.priority, candidate_group(job))
        if group not in self._remaining:
            concurrent = sum(max_concurrent_jobs(option.spec.demand, self._limit) for option in job.each_choice)
            self._remaining[group] = max(self._at_least, concurrent + 1)
        if self._remaining[group] and not self.is_full:
            self._add(job)
            self._remaining[group] -= 1
        return self._remaining[group] > 0

    def has_place_for(self, job: Job) -> bool:
        """Returns whether another job from this job's owner, in any group, could become a candidate."""
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
