"""Defines the filter that selects jobs for lists and for changes to many jobs at once."""

from collections.abc import Callable
from dataclasses import dataclass

from scheduler.core.jobs.demand import type_of
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.principal import names_of
from scheduler.core.jobs.team import Team, team_of


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Selects the jobs that match every given condition."""

    states: frozenset[JobState] = frozenset()  # empty: any
    owner: str | None = None  # an ARN, or one of the names of `principal.names_of`
    team: Team | None = None
    teams: tuple[Team, ...] = ()  # all teams, if `team` is given
    instance_type: str | None = None
    name_prefix: str = ""
    array: str | None = None  # its children only
    with_children: bool = True  # False: no children of any array
    owners: Callable[[str], bool] | None = None  # whether the caller may see this owner's jobs; None: all owners
    changes: Callable[[Job], bool] | None = None  # whether the requested action would change this job; None: any job

    def fits(self, job: Job) -> bool:
        return (
            (not self.states or job.status.state in self.states)
            and (self.owner is None or self.owner in names_of(job.owner))
            and (self.owners is None or self.owners(job.owner))
            and (self.team is None or self.team == team_of(job, self.teams))
            and (self.instance_type is None or any(type_of(line) == self.instance_type for line in job.spec.demand))
            and (self.changes is None or self.changes(job))
            and (self.array is None or (job.place is not None and job.place.array == self.array))
            and (self.with_children or job.place is None)
            and job.name.startswith(self.name_prefix)
        )
