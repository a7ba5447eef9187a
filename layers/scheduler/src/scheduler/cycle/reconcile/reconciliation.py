"""Reconciles the records with SageMaker's list, part by part: finds lost attempts and unmanaged training jobs.

It runs before the plan. A table restored from a backup does not know the attempts launched since: they are adopted
before any other job can take their budget.
"""

import logging
from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.reconciliation_state import BudgetScope, ReconciliationState
from scheduler.cycle.reconcile.adoption import Adoption, AdoptionOutcome
from scheduler.cycle.reconcile.unmanaged_jobs import UnmanagedJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.errors.internal import BodyUnavailable, Refused, SchedulerError, StaleJob, TrainingServiceError

logger = logging.getLogger(__name__)

#: How long after a complete scan of the list the next scan begins.
INTERVALS = {BudgetScope.QUEUE: timedelta(minutes=5), BudgetScope.ACCOUNT: timedelta(minutes=1)}
#: How long after a part of a scan the next part follows. With PAGES calls of List each, they stay below 0.1 a second.
PAUSE = timedelta(minutes=1)
PAGES = 5
#: How far the first scan goes back: no training job waits and runs for longer (aws-facts 2.40, 2.42).
LOOK_BACK = timedelta(days=57)
#: How long a new training job may be missing in the list; AWS does not document it.
LIST_DELAY = timedelta(minutes=10)
#: Known other training jobs that each run polls, in turn. One of N thus counts for N / 30 runs after its end at most, a
#: run a minute where the budget is the account's. More would keep the queue's own jobs waiting for Describe.
POLLS_PER_RUN = 30


@dataclass
class Reconciliation:
    services: CycleServices
    lease: Lease
    unmanaged_jobs: UnmanagedJobs
    steps: Steps
    #: The state after the last run. It is kept up step by step, so that an error loses no finding.
    state: ReconciliationState = field(default_factory=ReconciliationState, init=False)

    def __post_init__(self) -> None:
        self._adoption = Adoption(self.services, self.lease)
        self._scope = self.services.snapshot_reader.scope
        is_account_read = self.unmanaged_jobs.is_on or self._scope is BudgetScope.ACCOUNT
        self._name_part = "" if is_account_read else f"-{self.services.name_mark}-"

    def run(self) -> None:
        """Runs the next part of the reconciliation if it is due. Unanswered calls are left to the next run."""
        now = self.services.clock.now()
        self.state = self.services.stores.state.reconciliation_state()
        if not self.state.is_due(now):
            return
        self._change(next_at=now + PAUSE, is_forbidden=False)
        self._forget_ended()
        try:
            self._scan_list(now)
        except Refused as error:
            self._change(is_forbidden=True)
            _log_refused(error)
        except (TrainingServiceError, BodyUnavailable, StaleJob) as error:
            _log_postponed(error)
        self.services.stores.state.save_reconciliation_state(self.state, self.lease)

    def _forget_ended(self) -> None:
        """Polls the next known other training jobs in turn, and drops those that ended.

        One that SageMaker does not answer for counts as before. The turn passes on, so that it does not block others.
        """
        for name in _in_turn(self.state):
            if self.steps.is_out_of_time():
                break
            self._change(polled_until=name)
            try:
                self._set_demand(name, self.services.training.held_by(name))
            except Refused as error:
                _log_refused(error)
            except TrainingServiceError as error:
                _log_postponed(error)
                break

    def _scan_list(self, now: datetime) -> None:
        since, token = self.state.listed_until or now - LOOK_BACK, None
        for _ in range(PAGES):
            page = self.services.training.list_created_after(since, self._name_part, token)
            own_names = self._own_names()
            for listed in page.jobs:
                if self.steps.is_out_of_time():
                    return
                if listed.holds_instances and listed.name not in own_names and listed.name not in self.state.unmanaged:
                    self._adopt_or_count(listed.name)
                # Other training jobs may have been created at the same time.
                self._change(listed_until=listed.created_at - timedelta(seconds=1))
            token = page.next_token
            if token is None:
                next_at = now + INTERVALS[self._scope]
                self._change(listed_until=now - LIST_DELAY, complete_at=now, next_at=next_at)
                return

    def _own_names(self) -> Collection[str]:
        """Returns the names of our attempts and pools.

        An attempt's name counts once its creation is confirmed: another training job may have taken the name.
        """
        live = {live_job.attempt.name: live_job.attempt for live_job in self.services.live_job_cache.live()}
        taken = {name for name, attempt in live.items() if not attempt.created and self._adoption.is_unmanaged(name)}
        return (live.keys() - taken) | {pool.name for pool in self.services.stores.pools.pools()}

    def _adopt_or_count(self, name: str) -> None:
        """Adopts a training job that the records do not know, or counts what it holds."""
        try:
            outcome = self._adoption.adopt(name)
            if outcome is not AdoptionOutcome.SETTLED:
                self.unmanaged_jobs.add_unchecked(name)
            counts_all = self._scope is BudgetScope.ACCOUNT
            if outcome is AdoptionOutcome.STRAY or (outcome is AdoptionOutcome.UNMANAGED and counts_all):
                self._set_demand(name, self.services.training.held_by(name))
        except Refused as error:
            if self._scope is BudgetScope.QUEUE:
                raise  # it may be a lost attempt of ours: the next run continues here
            # Its demand is unknown for now: it is polled again in turn.
            self._change(unmanaged={**self.state.unmanaged, name: NOTHING})
            _log_refused(error)

    def _set_demand(self, name: str, held: Demand) -> None:
        others = {other: demand for other, demand in self.state.unmanaged.items() if other != name}
        self._change(unmanaged={**others, name: held} if held != NOTHING else others)

    def _change(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)


def _in_turn(reconciliation_state: ReconciliationState) -> list[str]:
    """Returns the names to poll in this run, in order, after the one that was polled last."""
    names = sorted(reconciliation_state.unmanaged)
    first = bisect_right(names, reconciliation_state.polled_until)
    return [*names[first:], *names[:first]][:POLLS_PER_RUN]


def _log_refused(error: TrainingServiceError) -> None:
    logger.error("reconciliation refused", extra={"cause": type(error).__name__})  # its text may quote a request


def _log_postponed(error: SchedulerError) -> None:
    logger.warning("reconciliation postponed", extra={"cause": type(error).__name__})
