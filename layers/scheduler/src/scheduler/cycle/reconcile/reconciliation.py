"""Reconciles the records with SageMaker's list of one kind, part by part: finds lost attempts and unmanaged jobs.

It runs before the plan. A table that is restored from a backup lacks the attempts that were launched since the backup.
These attempts are adopted before any other job can take their budget.
"""

import logging
from bisect import bisect_right
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.list_scan import ListScan
from scheduler.core.reconciliation.listed_job import ListedJob, ListPage
from scheduler.core.reconciliation.reconciliation_state import BudgetScope, ReconciliationState
from scheduler.cycle.reconcile.adoption import Adoption, AdoptionOutcome
from scheduler.cycle.reconcile.unmanaged_jobs import UnmanagedJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.errors.internal import (
    BodyUnavailable,
    OutcomeUnknown,
    Refused,
    SchedulerError,
    StaleJob,
    TrainingServiceError,
)

logger = logging.getLogger(__name__)

#: The time from a complete scan of the list to the next scan, if no other training job is known.
INTERVALS = {BudgetScope.QUEUE: timedelta(minutes=5), BudgetScope.ACCOUNT: timedelta(minutes=1)}
#: The time between two parts of a scan.
PAUSE = timedelta(minutes=1)
#: How far the first scan goes back: no training job waits and runs longer than this (aws-facts 2.40, 2.42).
LOOK_BACK = timedelta(days=57)
#: How long a new training job may be missing from the list; AWS does not document this time.
LIST_DELAY = timedelta(minutes=10)
#: The most known unmanaged training jobs that one run polls, in turn. Each of N such jobs thus counts for at most N /
#: 30 runs after its end. If the budget covers the account, there is one run a minute. Polling more would make the
#: queue's own jobs wait for Describe.
POLLS_PER_RUN = 30
_OF_OTHERS = frozenset({AdoptionOutcome.STRAY, AdoptionOutcome.UNMANAGED})
_COUNTED = {
    BudgetScope.QUEUE: frozenset({AdoptionOutcome.STRAY, AdoptionOutcome.UNTAGGED}),
    BudgetScope.ACCOUNT: frozenset({AdoptionOutcome.UNTAGGED}) | _OF_OTHERS,
}
#: The outcomes that the next run handles, even if the budget covers the account.
_OPEN = frozenset({AdoptionOutcome.UNDECIDED, AdoptionOutcome.UNTAGGED})


@dataclass
class Reconciliation:
    services: CycleServices
    lease: Lease
    unmanaged_jobs: UnmanagedJobs
    steps: Steps
    kind: WorkKind  # TRAINING, whose list includes the trials of tuning jobs, or PROCESSING
    #: The state after the last run. It is updated step by step, so that an error loses no finding.
    state: ReconciliationState = field(default_factory=ReconciliationState, init=False)

    def __post_init__(self) -> None:
        self._adoption = Adoption(self.services, self.lease)
        self._service = self.services.listed(self.kind)
        self._scope = self.services.snapshot_reader.scope
        self._counted = _COUNTED[self._scope]
        is_account_read = self._are_checked or self._scope is BudgetScope.ACCOUNT
        self._name_part = "" if is_account_read else f"-{self.services.name_mark}-"

    @property
    def _are_checked(self) -> bool:
        """Returns whether unmanaged jobs of this kind are checked against the rules."""
        return self.kind is WorkKind.TRAINING and self.unmanaged_jobs.is_on

    def run(self) -> None:
        """Runs the next part of the reconciliation if it is due. The next run repeats unanswered calls."""
        now = self.services.clock.now()
        self.state = self.services.stores.state.reconciliation_state(self.kind)
        if not self.state.is_due(now):
            return
        scan = self.state.scan_to_continue(now)
        self._change(scan=scan, next_at=now + PAUSE, is_forbidden=False)
        self._forget_ended()
        try:
            if self._reads_all_new(scan):
                self._complete(scan, now)
        except Refused as error:
            self._change(is_forbidden=True)
            _log_refused(error)
        except (TrainingServiceError, BodyUnavailable, StaleJob) as error:
            _log_postponed(error)
        self.services.stores.state.save_reconciliation_state(self.kind, self.state, self.lease)

    def _forget_ended(self) -> None:
        """Polls the known unmanaged jobs in turn, and drops the jobs that ended.

        If SageMaker does not answer about a job, the job counts as before, and other jobs still get their turn.
        """
        names = _in_turn(self.state)
        own_names = self._own_names() if names else ()
        for name in names:
            if self.steps.is_out_of_time():
                break
            self._change(polled_until=name)
            try:
                with self.steps.isolate_data("count", name):
                    self._poll(name, own_names)
            except Refused as error:
                _log_refused(error)
            except (TrainingServiceError, BodyUnavailable, StaleJob) as error:
                _log_postponed(error)
                break

    def _poll(self, name: str, own_names: Collection[str]) -> None:
        if name in own_names:  # it was undecided
            self._set_demand(name, NOTHING)
        elif self._scope is BudgetScope.QUEUE or name in self.state.undecided:
            self._adopt_or_count(name)  # its job may be readable by now, or its tags may be listed
        else:
            self._set_demand(name, self._service.held_by(name))

    def _reads_all_new(self, scan: ListScan) -> bool:
        """Reads the next part of the scan. Returns whether all jobs since the previous scan are now known."""
        since = self.state.listed_until or scan.began_at - LOOK_BACK
        for _ in range(scan.pages):
            if self.steps.is_out_of_time():
                return False
            page, scan = self._next_page(scan)
            own_names = self._own_names()
            for listed in scan.unread(page):
                if listed.created_at < since:
                    return True
                if self.steps.is_out_of_time():
                    return False
                if self._is_unknown(listed, own_names):
                    with self.steps.isolate_data("count", listed.name):
                        self._adopt_or_count(listed.name)
                scan = scan.after_job(listed)
                self._change(scan=scan)
            if page.next_token is None:
                return True
            scan = scan.after_page(page)
            self._change(scan=scan)
        return False

    def _next_page(self, scan: ListScan) -> tuple[ListPage, ListScan]:
        """Returns the next page, and the scan that reads it: without a token if the token was refused or leads back."""
        if scan.token is not None:
            with suppress(Refused, OutcomeUnknown):
                page = self._service.list_newest(scan.created_before, scan.token)
                if not scan.leads_back(page):
                    return page, scan
            scan = scan.by_time()
            self._change(scan=scan)
        return self._service.list_newest(scan.created_before, None), scan

    def _complete(self, scan: ListScan, now: datetime) -> None:
        """Records that the scan is complete. It missed jobs that were created later or not listed yet."""
        # A known job holds budget until the next run sees its end, or the tags that identify its creator.
        interval = PAUSE if self.state.unmanaged else INTERVALS[self._scope]
        next_at = max(now + PAUSE, scan.began_at + interval)
        self._change(scan=None, listed_until=scan.began_at - LIST_DELAY, complete_at=scan.began_at, next_at=next_at)

    def _is_unknown(self, listed: ListedJob, own_names: Collection[str]) -> bool:
        is_known = listed.name in own_names or listed.name in self.state.unmanaged
        return listed.holds_instances and self._name_part in listed.name and not is_known

    def _own_names(self) -> Collection[str]:
        """Returns the names of our jobs of this kind, and of our pools.

        An attempt's name counts once its creation is confirmed: another training job may have taken the name.
        """
        live = self.services.live_job_cache.live()
        listed = [live_job.attempt for live_job in live if live_job.job.spec.kind is self.kind]
        created = {attempt.name for attempt in listed if attempt.created and attempt.is_readable}
        if self.kind is not WorkKind.TRAINING:
            return created
        return created | {pool.name for pool in self.services.stores.pools.pools()}

    def _adopt_or_count(self, name: str) -> None:
        """Adopts a job that the records do not know, or counts its instances."""
        is_news = name not in self.state.unmanaged or name in self.state.undecided
        try:
            outcome = self._outcome_of(name)
            if self._are_checked and outcome in _OF_OTHERS and is_news:
                self.unmanaged_jobs.add_unchecked(name)
            held = self._service.held_by(name) if outcome in self._counted else NOTHING
        except Refused as error:
            if self._scope is BudgetScope.QUEUE:
                raise  # it may be a lost attempt of ours: the next run continues here
            self._decide_later(name, self.state.unmanaged.get(name, NOTHING))
            _log_refused(error)
            return
        if outcome in _OPEN:
            self._decide_later(name, held)
        else:
            self._set_demand(name, held)

    def _outcome_of(self, name: str) -> AdoptionOutcome:
        with self.steps.isolate_data("adopt", name):
            return self._adoption.adopt(name, self.kind)
        return AdoptionOutcome.STRAY  # its data prevents its adoption, and it holds budget

    def _decide_later(self, name: str, held: Demand) -> None:
        """Counts a job's instances, if they are known, until its next poll."""
        unmanaged, undecided = self.state.unmanaged, self.state.undecided
        self._change(unmanaged={**unmanaged, name: held}, undecided=undecided | {name})

    def _set_demand(self, name: str, held: Demand) -> None:
        others = {other: demand for other, demand in self.state.unmanaged.items() if other != name}
        unmanaged = {**others, name: held} if held != NOTHING else others
        self._change(unmanaged=unmanaged, undecided=self.state.undecided - {name})

    def _change(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)


def _in_turn(reconciliation_state: ReconciliationState) -> list[str]:
    """Returns the names to poll in this run, in order, after the job that was polled last."""
    names = sorted(reconciliation_state.unmanaged)
    first = bisect_right(names, reconciliation_state.polled_until)
    return [*names[first:], *names[:first]][:POLLS_PER_RUN]


def _log_refused(error: TrainingServiceError) -> None:
    logger.error("reconciliation refused", extra={"cause": type(error).__name__})  # its text may quote a request


def _log_postponed(error: SchedulerError) -> None:
    logger.warning("reconciliation postponed", extra={"cause": type(error).__name__})
