"""Judges what the queue knows about unmanaged jobs: the instances that they hold, and when they are counted."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from local_sagemaker.state_machine.job import TrainingJob
from local_sagemaker.state_machine.processing.job import ProcessingJob
from scheduler.adapters.dynamodb.records.items import reconciliation_from
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.reconciliation.reconciliation_state import BudgetScope, ReconciliationState
from support.account.account import Account
from support.simulation.judges.budgets import BudgetJudge
from support.simulation.judges.checks import Checks
from support.simulation.judges.held_instances import instances_held_by
from support.simulation.judges.processing_jobs import held_by
from support.simulation.submissions.processing_requests import is_ours
from support.simulation.submissions.squatters import is_unmanaged

#: The oldest reconciliation in use, plus the lag of SageMaker's list and the age of the cycle's snapshot.
_LATE_RECONCILIATION_SECONDS = 15 * 60 + 60 + 100.0
#: Without faults, reading the whole list takes no longer than this.
_CALM_RECONCILIATION_SECONDS = 8 * 60.0
_RECONCILIATION = {kind: ("RECONCILIATION", kind.upper()) for kind in (WorkKind.TRAINING, WorkKind.PROCESSING)}


class UnmanagedJobJudge:
    def __init__(self, account: Account, checks: Checks, budgets: BudgetJudge) -> None:
        self._account, self._check, self._budgets = account, checks.check, budgets
        self._processing = account.simulation.machine.processing
        self._scope = BudgetScope(account.settings["BUDGET_SCOPE"])

    def check_start(self, attempt: Attempt, reserved: Counter[str]) -> None:
        """Checks S1 for a budget that covers the account: an attempt fits in addition to the known unmanaged jobs."""
        if self._scope is not BudgetScope.ACCOUNT:
            return
        known_until = self._account.now - _LATE_RECONCILIATION_SECONDS
        held = reserved + self._held_by(lambda job: job.holds_instances and job.created_at <= known_until)
        held += self._held_by_processing(lambda job: not job.is_terminal and job.created_at <= known_until)
        for kind in attempt.demand:
            allowed = self._budgets.allowed
            self._check(
                "S1", held[kind] <= allowed[kind], f"{attempt.name} starts, {held} held of the account's {allowed}"
            )

    def check_reconciliation(self, calm_since: float) -> None:
        """Checks S1 after the faults end: the instances of unmanaged jobs are counted."""
        if self._scope is not BudgetScope.ACCOUNT or self._account.now < calm_since + _CALM_RECONCILIATION_SECONDS:
            return
        counted = reconciliation_from(self._account.table.items[_RECONCILIATION[WorkKind.TRAINING]]).unmanaged
        for job in self._account.simulation.machine.jobs.values():
            if job.holds_instances and is_unmanaged(job) and job.created_at < calm_since:
                self._check("S1", job.name in counted, f"{job.name} holds instances and is not counted")
        item = self._account.table.items.get(_RECONCILIATION[WorkKind.PROCESSING])
        counted = reconciliation_from(item).unmanaged if item else {}
        for one in self._processing.active():
            if not is_ours(one) and one.created_at < calm_since:
                self._check("S1", one.name in counted, f"the processing job {one.name} is not counted")

    def is_reconciling(self, calm_since: float) -> bool:
        """Returns whether the queue may still read SageMaker's list, or wait for the tags of an apparent attempt."""
        if self._account.now >= calm_since + _CALM_RECONCILIATION_SECONDS:
            return False
        items = [self._account.table.items.get(key) for key in _RECONCILIATION.values()]
        states = [reconciliation_from(item) for item in items if item] or [ReconciliationState()]
        is_like_an_attempt = self._scope is BudgetScope.QUEUE and any(state.unmanaged for state in states)
        now = datetime.fromtimestamp(self._account.now, UTC)
        return is_like_an_attempt or not all(state.is_trusted(now, self._scope) for state in states)

    def held(self) -> Counter[str]:
        """Counts the instances that unmanaged jobs hold, if the budget covers the account."""
        return self._held_by(lambda job: job.holds_instances) + self._held_by_processing(
            lambda job: not job.is_terminal
        )

    def held_at_the_last_reconciliation(self) -> Counter[str]:
        """Also counts the instances of unmanaged jobs that may have ended since the last reconciliation."""
        since = self._account.now - _LATE_RECONCILIATION_SECONDS
        return self._held_by(lambda job: job.holds_instances or (job.ended_at or 0) > since) + self._held_by_processing(
            lambda job: not job.is_terminal or (job.ended_at or 0) > since
        )

    def _held_by_processing(self, includes: Callable[[ProcessingJob], bool]) -> Counter[str]:
        held: Counter[str] = Counter()
        if self._scope is BudgetScope.ACCOUNT:
            for job in self._processing.by_key.values():
                if includes(job) and not is_ours(job):
                    held.update(held_by(job))
        return held

    def _held_by(self, includes: Callable[[TrainingJob], bool]) -> Counter[str]:
        held: Counter[str] = Counter()
        if self._scope is BudgetScope.ACCOUNT:
            for job in self._account.simulation.machine.jobs.values():
                if includes(job) and is_unmanaged(job):
                    held.update(instances_held_by(job))
        return held
