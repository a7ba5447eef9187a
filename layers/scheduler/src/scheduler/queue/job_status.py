"""Where jobs stand at this moment: position, live attempt, and what a cycle would say of them now."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from scheduler.core.jobs.attempt import Attempt, attempt_name
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason
from scheduler.core.jobs.team import team_of
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore

#: A list counts no more places: of a long queue this is most of what takes time.
MOST_COUNTED = 1000
#: The same of an answer about one job: as many keys as one read of DynamoDB gives.
MOST_COUNTED_FOR_ONE = 5000


@frozen
class JobStatus:
    """A job and where it stands now."""

    job: Job
    attempt: Attempt | None  # the live one
    position: int | None  # from 1, among the queued jobs; none beyond the first MOST_COUNTED, or MOST_COUNTED_FOR_ONE
    reason: Reason  # for a queued job: what a cycle would say of it at this moment
    team: str | None  # its owner's


@frozen
class JobStatusReader:
    snapshot_reader: SnapshotReader
    store: JobStore
    clock: Clock
    name_mark: str

    def of(self, job: Job) -> JobStatus:
        if job.is_queued:
            return self._among(
                self.snapshot_reader.observe(), (job,), self.store.positions((job,), MOST_COUNTED_FOR_ONE)
            )[0]
        return JobStatus(job, self._live_attempt(job), None, job.reason, team_name(job, self.snapshot_reader.policy))

    def among(self, snapshot: Snapshot, jobs: Sequence[Job]) -> tuple[JobStatus, ...]:
        queued = [job for job in jobs if job.is_queued]
        return self._among(snapshot, jobs, self.store.positions(queued, within=MOST_COUNTED))

    def head(self, snapshot: Snapshot, length: int) -> tuple[JobStatus, ...]:
        """The first ones of the queue."""
        decided = plan(snapshot, self.clock.now())
        next_ones = [launch.job for launch in decided.launches] + [wait.job for wait in decided.waits]
        first = next_ones[:length]
        positions = self.store.positions(first, within=MOST_COUNTED)
        return tuple(_standing(snapshot, decided, job, positions) for job in first)

    def _among(self, snapshot: Snapshot, jobs: Sequence[Job], positions: Mapping[str, int]) -> tuple[JobStatus, ...]:
        decided = plan(snapshot, self.clock.now())
        return tuple(_standing(snapshot, decided, job, positions) for job in jobs)

    def _live_attempt(self, job: Job) -> Attempt | None:
        return self.store.attempt(attempt_name(job.name, self.name_mark, job.attempts)) if job.is_live else None


def _standing(snapshot: Snapshot, decided: Plan, job: Job, positions: Mapping[str, int]) -> JobStatus:
    team = team_name(job, snapshot.policy)
    if job.is_queued:
        return JobStatus(job, None, positions.get(job.name), decided.reason_for(job.name) or job.reason, team)
    attempt = next((live.attempt for live in snapshot.live if live.job.name == job.name), None)
    return JobStatus(job, attempt, None, job.reason, team)


def team_name(job: Job, policy: Policy) -> str | None:
    team = team_of(job.owner, policy.teams)
    return team.name if team else None
