"""Builds the services for operators: the editors of their documents, and the queue's controls."""

from functools import cache, partial

from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.config.calendar import CalendarEditor
from scheduler.config.callers import CallersEditor
from scheduler.config.dry_run import DryRuns
from scheduler.config.prices import PricesEditor
from scheduler.config.rules import RulesEditor
from scheduler.config.spending import SpendingEditor
from scheduler.config.versioned_document import VersionedDocument
from scheduler.config.warm_pools import PoolRulesEditor
from scheduler.errors.config_errors import StaleVersion
from scheduler.queue.budget_and_intake import BudgetAndIntake
from scheduler.wiring import shared


@cache
def calendar_editor() -> CalendarEditor:
    document = VersionedDocument(shared.calendar_store(), SystemClock(), partial(StaleVersion, "calendar"))
    return CalendarEditor(
        document, shared.control_store(), shared.budget_schedule(), shared.settings().budget, SystemClock()
    )


@cache
def pool_rules_editor() -> PoolRulesEditor:
    document = VersionedDocument(shared.pool_rule_store(), SystemClock(), partial(StaleVersion, "pool_rules"))
    return PoolRulesEditor(document, shared.snapshot_reader().budget_for_submissions, shared.prices())


@cache
def prices_editor() -> PricesEditor:
    return PricesEditor(
        VersionedDocument(shared.price_store(), SystemClock(), partial(StaleVersion, "prices")),
        shared.prices(),
        SystemClock(),
    )


@cache
def spending_editor() -> SpendingEditor:
    document = VersionedDocument(shared.spending_store(), SystemClock(), partial(StaleVersion, "spending"))
    return SpendingEditor(document, shared.spending_reader(), shared.settings().budget)


@cache
def rules_editor() -> RulesEditor:
    document = VersionedDocument(shared.rule_store(), SystemClock(), partial(StaleVersion, "rules"))
    return RulesEditor(document, _dry_runs(), shared.admission(), SystemClock())


@cache
def callers_editor() -> CallersEditor:
    document = VersionedDocument(shared.caller_store(), SystemClock(), partial(StaleVersion, "callers"))
    return CallersEditor(document, _dry_runs(), shared.authorization(), SystemClock())


def _dry_runs() -> DryRuns:
    stores = shared.job_stores()
    return DryRuns(stores.jobs, stores.index, stores.live_attempts)


@cache
def budget_and_intake() -> BudgetAndIntake:
    return BudgetAndIntake(shared.control_store(), shared.settings().budget, shared.budget_schedule(), SystemClock())
