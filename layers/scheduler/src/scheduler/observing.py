"""The first step of a cycle: reads the snapshot to decide on. People are answered from the same."""

from collections.abc import Collection
from dataclasses import dataclass

from scheduler.domain.budget import Budget
from scheduler.domain.census import BudgetScope, Census
from scheduler.domain.controls import Controls
from scheduler.domain.job import Job
from scheduler.domain.past import EVERYBODY, Past
from scheduler.domain.policy import Policy
from scheduler.domain.reason import Reason, ReasonCode
from scheduler.domain.snapshot import LiveJob, Snapshot
from scheduler.ports import Clock, ControlStore, JobStore

_UNBELIEVED = Reason(
    ReasonCode.WAITS_FOR_CENSUS,
    "SageMaker's list of training jobs could not be read for a while, so it is not known what else holds the budget",
)
_UNREADABLE_CONTROLS = Reason(
    ReasonCode.UNREADABLE_RECORD,
    "what operators have set cannot be read, so the budget is not known: repair the item CONTROLS of the table, "
    "or delete it",
)


@dataclass(frozen=True, slots=True)
class Observer:
    store: JobStore
    controls: ControlStore
    parameter: Budget  # the stack's own, which operators may replace
    policy: Policy
    clock: Clock
    scope: BudgetScope = BudgetScope.QUEUE

    def intake_budget(self) -> Budget:
        """What a job may need to be accepted: it can wait for what an operator took away, until that is taken back."""
        return self.parameter.or_more(self.controls.read().budget or self.parameter)

    def possible(self, jobs: Collection[Job]) -> tuple[Job, ...]:
        """Those that the budget in force could run, or the parameter, which may be in force again tomorrow."""
        budgets = (self.controls.read().budget or self.parameter, self.parameter)
        return tuple(job for job in jobs if any(budget.could_ever_run(job.demand) for budget in budgets))

    def observe(self, left_out: Collection[str] = (), live: tuple[LiveJob, ...] | None = None) -> Snapshot:
        """The queue as it is, without the queued jobs of these names; `live` spares the read of what is live."""
        live = self.store.live() if live is None else live
        controls, census = self.controls.read(), self.store.census()
        pools = self.store.pools()
        budget = controls.budget or self.parameter
        # The index may lag and still show a job that was launched a moment ago.
        unwanted = {*left_out, *(one.job.name for one in live)}
        queued = tuple(job for job in self.store.candidates(budget) if job.name not in unwanted)
        jobs = [*(one.job for one in live), *queued]
        past = self._past_of(jobs)
        return Snapshot(
            budget=budget,
            live=live,
            queued=queued,
            policy=self.policy,
            history=past.history_for(jobs),
            usage=past.usage,
            parameter=self.parameter if controls.budget else None,
            stop_over_budget=controls.stop_over_budget,
            pools=pools,
            held_by_others=census.held,
            blocked=self._blocked(controls, census),
        )

    def _blocked(self, controls: Controls, census: Census) -> Reason | None:
        if not controls.is_readable:
            return _UNREADABLE_CONTROLS
        return None if census.is_believed(self.clock.now(), self.scope) else _UNBELIEVED

    def _past_of(self, jobs: Collection[Job]) -> Past:
        if not jobs:
            return Past()
        teams = {"", *(team.name for team in self.policy.teams)} if self.policy.teams else set()
        return self.store.recall({EVERYBODY, *(job.owner for job in jobs)}, teams)
