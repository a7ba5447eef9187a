"""Counts free instances together with those that each team holds, so that no plan lends a reserve or exceeds a ceiling.

A reserve is the part of a team's quota that the team does not lend: only its own jobs may use these instances. A
ceiling, or a limit on borrowing, bounds the total that a team's jobs hold. Without such settings, plans use
FreeCapacity.
"""

from collections.abc import Iterable, Sequence

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.team import NO_TEAM, Team, team_of
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.snapshot import Snapshot


class TeamLimits:
    """Holds the reserves and ceilings of the teams, and finds the team of a job."""

    def __init__(self, teams: Sequence[Team]) -> None:
        self._teams = teams
        self._names: dict[tuple[str, str], str] = {}  # by owner and chosen team, because matching patterns is slow
        self.reserves = {team.name: team.reserve for team in teams if team.reserve.counts}
        self.most = {team.name: team.most for team in teams if team.most}

    @property
    def are_set(self) -> bool:
        return bool(self.reserves or self.most)

    def team_name(self, job: Job) -> str:
        key = (job.owner, job.options.team)
        if key not in self._names:
            self._names[key] = (team_of(job, self._teams) or NO_TEAM).name
        return self._names[key]


def with_shares(free: FreeCapacity, limits: TeamLimits, live: Iterable[LiveJob] = ()) -> FreeCapacity:
    """Returns the free instances together with those that each team's live jobs hold, if the teams have limits."""
    if not limits.are_set:
        return free
    shared = SharedCapacity(free, limits, {}, None)
    for live_job in live:
        shared.hold(live_job.job, live_job.attempt.demand)
    return shared


def whole_budget(snapshot: Snapshot, limits: TeamLimits | None = None) -> FreeCapacity:
    """Returns the instances that jobs could use if no job held any."""
    return with_shares(FreeCapacity(snapshot.budget.limit.counts), limits or TeamLimits(snapshot.policy.teams))


class SharedCapacity(FreeCapacity):
    """Holds free instances, and the instances that each team holds.

    After `seen_by(job)`, `has` and `lacks` apply to that job's team. Until then, they ignore shares.
    """

    def __init__(self, free: FreeCapacity, limits: TeamLimits, held: dict[tuple[str, str], int], team: str | None):
        super().__init__(free)
        self._limits, self._held, self._team = limits, held, team

    def seen_by(self, job: Job) -> "SharedCapacity":
        return SharedCapacity(self, self._limits, self._held.copy(), self._limits.team_name(job))

    def copy(self) -> "SharedCapacity":
        return SharedCapacity(self, self._limits, self._held.copy(), self._team)

    def has(self, demand: Demand) -> bool:
        return super().has(demand) and (self._team is None or self._allows(self._team, demand, demand))

    def lacks(self, line: str, count: int) -> bool:
        free = self.get(line, 0)
        if self._team is not None and not self._is_in_reserve(self._team, line, count):
            free -= self._reserved_for_others(self._team, line)
        return free < count

    def fits(self, job: Job) -> bool:
        return super().has(job.spec.demand) and self._allows(
            self._limits.team_name(job), job.spec.demand, job.spec.demand
        )

    def fits_on_held(self, job: Job) -> bool:
        return self._allows(self._limits.team_name(job), job.spec.demand, NOTHING)

    def is_over_ceiling_with(self, job: Job) -> bool:
        team = self._limits.team_name(job)
        return any(self._is_over_ceiling(team, line, count) for line, count in job.spec.demand.counts)

    def take_for(self, job: Job) -> None:
        self.take(job.spec.demand)
        self.hold(job, job.spec.demand)

    def take_up_to_for(self, job: Job) -> None:
        before = self.copy()
        self.take_up_to(job.spec.demand)
        taken = {line: before.get(line, 0) - self.get(line, 0) for line in job.spec.demand}
        self.hold(job, Demand.of(taken))

    def give_back(self, job: Job, demand: Demand) -> None:
        self.give(demand)
        self._record(job, demand, -1)

    def take_back(self, job: Job, demand: Demand) -> None:
        self.take(demand)
        self.hold(job, demand)

    def hold(self, job: Job, demand: Demand) -> None:
        self._record(job, demand, 1)

    def _record(self, job: Job, demand: Demand, sign: int) -> None:
        team = self._limits.team_name(job)
        for line, count in demand.counts:
            self._held[team, line] = self._held.get((team, line), 0) + sign * count

    def _allows(self, team: str, demand: Demand, taken: Demand) -> bool:
        """Returns whether the team may also hold the demand; `taken` is the part that comes from free instances."""
        for line, count in demand.counts:
            if self._is_over_ceiling(team, line, count):
                return False
            is_reserve = self._is_in_reserve(team, line, count)
            if not is_reserve and self.get(line, 0) - taken[line] < self._reserved_for_others(team, line):
                return False
        return True

    def _is_over_ceiling(self, team: str, line: str, count: int) -> bool:
        most = self._limits.most.get(team, {}).get(line)
        return most is not None and self._held.get((team, line), 0) + count > most

    def _is_in_reserve(self, team: str, line: str, count: int) -> bool:
        reserve = self._limits.reserves.get(team)
        return reserve is not None and self._held.get((team, line), 0) + count <= reserve[line]

    def _reserved_for_others(self, team: str, line: str) -> int:
        """Returns the unused instances that other teams do not lend."""
        unused = (
            reserve[line] - self._held.get((name, line), 0)
            for name, reserve in self._limits.reserves.items()
            if name != team
        )
        return sum(count for count in unused if count > 0)
