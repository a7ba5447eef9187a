"""Builds the services for operators: the editors of their documents, and the queue's controls."""

from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any

from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.config.document_editor import DocumentEditor
from scheduler.config.dry_run import DryRuns
from scheduler.core.calendar.document import validated as parsed_calendar
from scheduler.core.documents.document import DocumentKind
from scheduler.core.guardrails.document import validated as parsed_rules
from scheduler.core.spending.document import validated as parsed_limits
from scheduler.core.spending.prices.document import validated as parsed_prices
from scheduler.core.warm_pools.document import validated as parsed_pool_rules
from scheduler.queue.budget_and_intake import BudgetAndIntake
from scheduler.wiring import shared

_A_DAY = timedelta(days=1)


@cache
def editor(kind: DocumentKind) -> DocumentEditor[Any]:
    return DocumentEditor(kind, shared.document_store(kind), SystemClock(), _parser_of(kind))


def _parser_of(kind: DocumentKind) -> Callable[[str], Any]:
    """Returns the function that parses and checks a new document of this kind."""
    settings, prices = shared.settings(), shared.prices()
    match kind:
        case DocumentKind.RULES:
            clock = SystemClock()
            return lambda text: parsed_rules(text, clock.now())
        case DocumentKind.CALLERS:
            return shared.authorization().under
        case DocumentKind.CALENDAR:
            clock = SystemClock()
            return lambda text: parsed_calendar(text, settings.budget, clock.now())
        case DocumentKind.POOL_RULES:
            largest_budget = shared.snapshot_reader().budget_for_submissions
            return lambda text: parsed_pool_rules(text, largest_budget().types, prices.current())
        case DocumentKind.PRICES:
            clock = SystemClock()  # in some time zone it is tomorrow already
            return lambda text: parsed_prices(text, prices.base, (clock.now() + _A_DAY).date())
        case DocumentKind.SPENDING:
            teams = [team.name for team in settings.policy.teams]
            return lambda text: parsed_limits(text, teams, settings.budget.types, prices.current())


@cache
def dry_runs() -> DryRuns:
    stores = shared.job_stores()
    return DryRuns(stores.jobs, stores.index, stores.live_attempts, shared.admission(), SystemClock())


@cache
def budget_and_intake() -> BudgetAndIntake:
    return BudgetAndIntake(shared.control_store(), shared.settings().budget, shared.budget_schedule(), SystemClock())
