"""A filter of jobs, for lists and for cancelling many at once."""

from collections.abc import Callable
from dataclasses import dataclass

from scheduler.core.jobs.demand import type_of
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.team import Team


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Selects the jobs that match every given condition."""

    states: frozenset[JobState] = frozenset()  # empty: any
    owner: str | None = None
    team: Team | None = None
    instance_type: str | None = None
    name_prefix: str = ""
    owners: Callable[[str], bool] | None = None  # whether the caller may see jobs of this owner; None: all owners
    is_cancelled: bool | None = None  # None: either

    def fits(self, job: Job) -> bool:
        return (
            (not self.states or job.status.state in self.states)
            and self.owner in (None, job.owner)
            and (self.owners is None or self.owners(job.owner))
            and (self.team is None or self.team.has(job.owner))
            and (self.instance_type is None or any(type_of(line) == self.instance_type for line in job.spec.demand))
            and self.is_cancelled in (None, job.was_cancelled)
            and job.name.startswith(self.name_prefix)
        )
