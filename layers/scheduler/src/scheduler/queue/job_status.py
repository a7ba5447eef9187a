"""Determines jobs' current status: position, live attempt, and the reason that a cycle would give now."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scheduler.admission.choice_check import ChoiceCheck
from scheduler.core.calendar.times.timers import reason_of_deferral
from scheduler.core.jobs.attempt import Attempt, attempt_name
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind
from scheduler.core.jobs.reason import Reason, hidden
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.spending_status import team_name
from scheduler.errors.internal import UnknownJob
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.ports.job_store import JobStore, LiveAttempts

JOB_NAME = re.compile(r"[a-zA-Z0-9-]{1,63}")
#: The most positions that a list counts: counting takes most of the time in a long queue.
MAX_COUNTED_IN_LIST = 1000
#: The most positions counted for one job: as many keys as one read of DynamoDB returns.
MAX_COUNTED_FOR_ONE_JOB = 5000


@dataclass(frozen=True, slots=True)
class CurrentStatus:
    """A job and its current status."""

    job: Job
    attempt: Attempt | None  # the live attempt
    #: From 1, among queued jobs. None for a job beyond MAX_COUNTED_IN_LIST or MAX_COUNTED_FOR_ONE_JOB.
    position: int | None
    reason: Reason  # for a queued job, the reason that a cycle would give now
    team: str | None  # the owner's team
    may_control: bool = True  # whether the caller may control the job

    def for_stranger(self) -> "CurrentStatus":
        """Returns the status for callers without control of the job, omitting texts that may quote the request."""
        job, attempt = self.job, self.attempt
        history = tuple(replace(ended, failure_reason=hidden(ended.failure_reason)) for ended in job.status.history)
        actions = tuple(
            replace(action, message=hidden(action.message)) if action.kind is ActionKind.PARKED else action
            for action in job.status.actions
        )
        reason = job.status.reason.without_quotes()
        job = replace(job, status=replace(job.status, reason=reason, history=history, actions=actions))
        if attempt is not None and (seen := attempt.observation) is not None:
            seen = replace(seen, message=hidden(seen.message), failure_reason=hidden(seen.failure_reason))
            attempt = replace(attempt, observation=seen)
        return replace(self, job=job, attempt=attempt, reason=self.reason.without_quotes(), may_control=False)


@dataclass(frozen=True, slots=True)
class JobStatusReader:
    snapshot_reader: SnapshotReader
    choice_check: ChoiceCheck
    index: JobIndex
    live_attempts: LiveAttempts
    clock: Clock
    name_mark: str

    def of(self, job: Job) -> CurrentStatus:
        if job.is_queued:
            snapshot, positions = self.snapshot_reader.observe(), self.index.positions((job,), MAX_COUNTED_FOR_ONE_JOB)
            return self._among(snapshot, (job,), positions)[0]
        name = attempt_name(job.name, self.name_mark, job.status.attempts, job.spec.kind)
        attempt = self.live_attempts.attempt(name) if job.is_live else None
        team = team_name(job, self.snapshot_reader.configuration.current().teams) or None
        return CurrentStatus(job, attempt, None, job.status.reason, team)

    def among(self, snapshot: Snapshot, jobs: Sequence[Job]) -> tuple[CurrentStatus, ...]:
        queued = [job for job in jobs if job.is_queued]
        return self._among(snapshot, jobs, self.index.positions(queued, within=MAX_COUNTED_IN_LIST))

    def head(self, snapshot: Snapshot, length: int) -> tuple[CurrentStatus, ...]:
        """Returns the statuses of the next jobs in the order of the plan, with their positions from 1."""
        decided = plan(self.choice_check.close_refused(snapshot), self.clock.now())
        queued = [launch.job for launch in decided.launches] + [wait.job for wait in decided.waits]
        first = queued[:length]
        positions = {job.name: place for place, job in enumerate(first, start=1)}
        return tuple(_job_status(snapshot, decided, job, positions) for job in first)

    def _among(
        self, snapshot: Snapshot, jobs: Sequence[Job], positions: Mapping[str, int]
    ) -> tuple[CurrentStatus, ...]:
        decided = plan(self.choice_check.close_refused(snapshot), self.clock.now())
        return tuple(_job_status(snapshot, decided, job, positions) for job in jobs)


def _job_status(snapshot: Snapshot, decided: Plan, job: Job, positions: Mapping[str, int]) -> CurrentStatus:
    team = team_name(job, snapshot.policy.teams) or None
    if job.is_queued:
        reason = decided.reason_for(job.name) or reason_of_deferral(job) or job.status.reason
        return CurrentStatus(job, None, positions.get(job.name), reason, team)
    attempt = next((live.attempt for live in snapshot.live if live.job.name == job.name), None)
    return CurrentStatus(job, attempt, None, job.status.reason, team)


def job_named(jobs: JobStore, name: str) -> Job:
    """Returns the job with a user-supplied name. Raises UnknownJob, even if the name is invalid."""
    if not JOB_NAME.fullmatch(name):  # the table would reject some keys, such as empty or very long ones
        raise UnknownJob(name)
    return jobs.get(name)
