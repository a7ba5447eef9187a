"""Derives from the end of an attempt how long such jobs run and how much the team has used."""

from dataclasses import dataclass
from datetime import datetime

from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import team_of
from scheduler.core.planner.learning.learned import ALL_OWNERS, Learned, Usage
from scheduler.core.planner.policy import Policy

#: Outcomes that show how long a job runs. A failed or cancelled job says nothing about jobs that complete.
_RUN_TIME_OUTCOMES = frozenset({Outcome.COMPLETED, Outcome.TIME_LIMIT})


@dataclass(frozen=True, slots=True)
class RunRecord:
    job: Job
    run_time: float  # seconds of training over all attempts; 0 if this end does not show the run time
    team: str | None  # the team to charge; None if there are no teams
    instance_seconds: float
    ended_at: datetime

    @property
    def owners(self) -> frozenset[str]:
        return frozenset({self.job.owner_key, ALL_OWNERS}) if self.run_time else frozenset()

    @property
    def teams(self) -> frozenset[str]:
        return frozenset() if self.team is None else frozenset({self.team})

    def add_to(self, learned: Learned, policy: Policy) -> Learned:
        if self.run_time:
            learned = learned.with_run(self.job, self.run_time)
        if self.team is not None:
            used = learned.usage.get(self.team, Usage(0.0, self.ended_at))
            charged = used.plus(self.instance_seconds, self.ended_at, policy.usage_half_life)
            learned = learned.with_usage(self.team, charged)
        return learned


def run_record_of(job: Job, attempt_name: str, policy: Policy) -> RunRecord | None:
    """Returns the record of the attempt that just ended, or None if the attempt never started."""
    last = job.history[-1] if job.history else None
    if last is None or last.name != attempt_name or last.outcome is Outcome.NEVER_STARTED:
        return None
    team = team_of(job.owner, policy.teams)
    held = (last.ended_at - last.reserved_at).total_seconds()
    trained = sum(attempt.trained_seconds for attempt in job.history)
    return RunRecord(
        job=job,
        run_time=trained if last.outcome in _RUN_TIME_OUTCOMES else 0.0,
        team=(team.name if team else "") if policy.teams else None,
        instance_seconds=max(0.0, held) * sum(count for _, count in job.demand_of(last).counts),
        ended_at=last.ended_at,
    )
