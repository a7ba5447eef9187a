"""Summarises the queue: held instances, waiting jobs by team, and the next jobs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scheduler.core.capacity.capacity_memory import Shortage
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, total
from scheduler.core.jobs.job_state import QUEUED, JobState
from scheduler.core.jobs.team import Team, team_chosen, team_of
from scheduler.core.planner.ordering.fair_share import usage_by_key
from scheduler.core.planner.snapshot import Snapshot
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.job_index import JobIndex, Waiting
from scheduler.ports.job_store import LearnedStore
from scheduler.queue.job_status import CurrentStatus, JobStatusReader

#: The number of next jobs to show.
HEAD_LENGTH = 10


@dataclass(frozen=True, slots=True)
class TeamUse:
    team: Team
    running: Demand
    queued: int
    used: float  # instance seconds that count for the team's fair share


@dataclass(frozen=True, slots=True)
class Summary:
    intake_open: bool
    by_state: Mapping[JobState, int]  # counts only unfinished jobs
    budget: Budget
    held: Demand
    teams: tuple[TeamUse, ...]
    head: tuple[CurrentStatus, ...]
    shortages: tuple[Shortage, ...]


@dataclass(frozen=True, slots=True)
class SummaryReader:
    snapshot_reader: SnapshotReader
    index: JobIndex
    learned: LearnedStore
    job_status_reader: JobStatusReader

    def now(self) -> Summary:
        snapshot = self.snapshot_reader.observe()
        waiting = tuple(self.index.waiting())
        return Summary(
            intake_open=self.snapshot_reader.controls.read().intake_open,
            by_state=Counter([job.state for job in waiting] + [live.job.status.state for live in snapshot.live]),
            budget=snapshot.budget,
            held=snapshot.held,
            teams=tuple(self._uses(snapshot, waiting)),
            head=self.job_status_reader.head(snapshot, HEAD_LENGTH),
            shortages=snapshot.capacity.shortages,
        )

    def _uses(self, snapshot: Snapshot, waiting: tuple[Waiting, ...]) -> Iterator[TeamUse]:
        teams = snapshot.policy.teams
        if not teams:
            return
        if not (snapshot.live or snapshot.queued):  # an empty snapshot has no past use, since it decides nothing
            learned = self.learned.read_learned((), {team.name for team in teams}, consistent=False)
            snapshot = replace(snapshot, usage=learned.usage)
        used = usage_by_key(snapshot, self.snapshot_reader.clock.now())
        yield from (_use(team, snapshot, waiting, used.get(team.name, 0.0)) for team in teams)


def _use(team: Team, snapshot: Snapshot, waiting: Iterable[Waiting], used: float) -> TeamUse:
    teams = snapshot.policy.teams
    held = [live.attempt.demand for live in snapshot.live if team_of(live.job, teams) is team]
    queued = [job for job in waiting if job.state in QUEUED and team_chosen(job.team, job.owner, teams) is team]
    return TeamUse(team, total(held), len(queued), used)
