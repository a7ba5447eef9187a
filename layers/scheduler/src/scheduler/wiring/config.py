"""What operators see and change, their documents and the queue's controls, put together as in `wiring`."""

from functools import cache

from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.config.calendar import CalendarBook
from scheduler.config.callers import CallerBook
from scheduler.config.prices import PriceBook
from scheduler.config.rules import RuleBook
from scheduler.config.spending import SpendingControl
from scheduler.config.versioned_document import DocumentBook
from scheduler.config.warm_pools import PoolBook
from scheduler.errors.config_errors import (
    StaleCalendar,
    StaleCallers,
    StalePoolRules,
    StalePrices,
    StaleRules,
    StaleSpending,
)
from scheduler.queue.budget_and_intake import QueueControl
from scheduler.wiring import shared


@cache
def calendar_book() -> CalendarBook:
    book = DocumentBook(shared.calendar_store(), SystemClock(), StaleCalendar)
    return CalendarBook(book, shared.control_store(), shared.timetable(), shared.settings().budget, SystemClock())


@cache
def pool_book() -> PoolBook:
    book = DocumentBook(shared.pool_rule_store(), SystemClock(), StalePoolRules)
    return PoolBook(book, shared.observer().intake_budget, shared.prices())


@cache
def price_book() -> PriceBook:
    return PriceBook(DocumentBook(shared.price_store(), SystemClock(), StalePrices), shared.prices(), SystemClock())


@cache
def spending_control() -> SpendingControl:
    book = DocumentBook(shared.spending_store(), SystemClock(), StaleSpending)
    return SpendingControl(book, shared.spending_book(), shared.settings().budget)


@cache
def rule_book() -> RuleBook:
    book = DocumentBook(shared.rule_store(), SystemClock(), StaleRules)
    return RuleBook(book, shared.job_store(), shared.gate(), SystemClock())


@cache
def caller_book() -> CallerBook:
    book = DocumentBook(shared.caller_store(), SystemClock(), StaleCallers)
    return CallerBook(book, shared.job_store(), shared.access(), SystemClock())


@cache
def queue_control() -> QueueControl:
    return QueueControl(shared.control_store(), shared.settings().budget, shared.timetable(), SystemClock())
