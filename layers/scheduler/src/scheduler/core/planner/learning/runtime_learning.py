"""What the end of an attempt teaches: how long such jobs run, and what the team has used."""

from datetime import datetime

from attrs import frozen

from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import team_of
from scheduler.core.planner.learning.learned import EVERYBODY, Learned
from scheduler.core.planner.learning.usage import Usage
from scheduler.core.planner.policy import Policy

#: Ends that tell how long a job runs; a job that failed or was cancelled says nothing of those that will not be.
_TELLING = frozenset({Outcome.COMPLETED, Outcome.TIME_LIMIT})


@frozen
class Lesson:
    job: Job
    run_time: float  # seconds of training over all attempts; 0 if this end says nothing of it
    team: str | None  # who is charged; None if there are no teams
    instance_seconds: float
    ended_at: datetime

    @property
    def owners(self) -> frozenset[str]:
        return frozenset({self.job.owner_key, EVERYBODY}) if self.run_time else frozenset()

    @property
    def teams(self) -> frozenset[str]:
        return frozenset() if self.team is None else frozenset({self.team})

    def added_to(self, past: Learned, policy: Policy) -> Learned:
        if self.run_time:
            past = past.with_run(self.job, self.run_time)
        if self.team is not None:
            used = past.usage.get(self.team, Usage(0.0, self.ended_at))
            charged = used.plus(self.instance_seconds, self.ended_at, policy.usage_half_life)
            past = past.with_usage(self.team, charged)
        return past


def lesson_of(job: Job, attempt_name: str, policy: Policy) -> Lesson | None:
    """What the attempt that just ended teaches; nothing if it never was one."""
    last = job.history[-1] if job.history else None
    if last is None or last.name != attempt_name or last.outcome is Outcome.NEVER_STARTED:
        return None
    team = team_of(job.owner, policy.teams)
    held = (last.ended_at - last.reserved_at).total_seconds()
    return Lesson(
        job=job,
        run_time=sum(past.trained_seconds for past in job.history) if last.outcome in _TELLING else 0.0,
        team=(team.name if team else "") if policy.teams else None,
        instance_seconds=max(0.0, held) * sum(count for _, count in job.demand_of(last).counts),
        ended_at=last.ended_at,
    )
