"""Chooses the running jobs to stop for another job: elastic jobs give up instances before any job is stopped outright.

A running training job cannot change its width. An elastic job that gives up instances is stopped like any other victim.
The instances that it keeps are held for it until it starts again, from its checkpoint. If all elastic jobs together
cannot give enough, other jobs are stopped, too.
"""

from collections.abc import Iterable, Sequence

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.plan import Plan, Victim
from scheduler.core.planner.preemption import choose_victims
from scheduler.core.planner.snapshot import Snapshot


def choose_elastic_first(
    demand: Demand, available: FreeCapacity, lower: Iterable[LiveJob], above_budget: Demand = NOTHING
) -> tuple[Victim, ...]:
    """Returns the jobs to stop so that the demand fits the available instances; empty if it would not fit even then.

    The arguments are those of `choose_victims`.
    """
    candidates = [live for live in lower if live.attempt.demand.shares_a_type_with(demand)]
    if not any(narrower_widths(live) for live in candidates):
        return tuple(map(Victim, choose_victims(demand, available, candidates, above_budget)))
    search = _Search(demand, available, above_budget)
    search.narrow(candidates)
    search.stop_outright(candidates)
    return search.victims() if search.fits else ()


def narrower_widths(live: LiveJob) -> Sequence[Demand]:
    """Returns the smaller widths on which a running job can continue from a checkpoint, the widest first."""
    if live.job.options.instances is None or live.has_no_save:
        return ()
    widths = (choice.demand for choice in live.job.choices)
    return [width for width in widths if width != live.attempt.demand and width.fits(live.attempt.demand)]


def continued_jobs(snapshot: Snapshot, decided: Plan) -> list[Victim]:
    """Returns the elastic jobs that will continue on fewer instances: jobs being stopped, or stopped by the plan."""
    stopping = [Victim(live, live.continues_on) for live in snapshot.live]
    planned = [Victim(entry.victim, entry.continues_on) for entry in decided.preemptions]
    return [found for found in (*stopping, *planned) if found.continues_on != NOTHING]


def describe(victims: Iterable[Victim]) -> str:
    return ", ".join(
        f"{live.job.name} (which continues on {kept})" if kept != NOTHING else live.job.name for live, kept in victims
    )


class _Search:
    """Takes instances from the candidates until the demand fits, then gives back all that are not needed."""

    def __init__(self, demand: Demand, available: FreeCapacity, above_budget: Demand) -> None:
        self._demand, self._above_budget = demand, above_budget
        self._free = available.copy()
        self._free.give(above_budget)
        self._kept: dict[str, Demand] = {}  # by job name
        self._taken: list[tuple[LiveJob, Demand]] = []  # each with the instances that it had before

    @property
    def fits(self) -> bool:
        return self._free.has(self._demand)

    def narrow(self, candidates: Iterable[LiveJob]) -> None:
        for live in candidates:
            if (widths := narrower_widths(live)) and not self.fits:
                self._take(live, widths[-1])

    def stop_outright(self, candidates: Iterable[LiveJob]) -> None:
        for live in candidates:
            if not self.fits:
                self._take(live, NOTHING)

    def victims(self) -> tuple[Victim, ...]:
        for live, before in reversed(self._taken):  # so that the jobs most worth keeping are spared first
            self._give_back(live, before)
        self._free.take(self._above_budget)
        lives = {live.job.name: live for live, _ in self._taken}
        kept = self._kept.items() if self.fits else ()
        return tuple(Victim(lives[name], width) for name, width in kept if width != lives[name].attempt.demand)

    def _take(self, live: LiveJob, kept: Demand) -> None:
        before = self._kept.get(live.job.name, live.attempt.demand)
        self._taken.append((live, before))
        self._set(live, kept)

    def _give_back(self, live: LiveJob, before: Demand) -> None:
        """Gives the job as many instances as the demand leaves, up to the number that it had before."""
        kept = self._kept[live.job.name]
        for width in (before, *narrower_widths(live)):
            self._set(live, width)
            if self.fits:
                return
        self._set(live, kept)

    def _set(self, live: LiveJob, kept: Demand) -> None:
        self._free.give_back(live.job, self._kept.get(live.job.name, live.attempt.demand) - kept)
        self._kept[live.job.name] = kept
