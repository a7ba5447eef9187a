"""What operators see and change, their documents and the queue's controls, put together as in `wiring`."""

from functools import cache

from scheduler import wiring
from scheduler.adapters.system_clock import SystemClock
from scheduler.calendar_book import CalendarBook
from scheduler.caller_book import CallerBook
from scheduler.document_book import DocumentBook
from scheduler.document_refusals import (
    StaleCalendar,
    StaleCallers,
    StalePoolRules,
    StalePrices,
    StaleRules,
    StaleSpending,
)
from scheduler.pool_book import PoolBook
from scheduler.price_book import PriceBook
from scheduler.queue_control import QueueControl
from scheduler.rule_book import RuleBook
from scheduler.spending_control import SpendingControl


@cache
def calendar_book() -> CalendarBook:
    book = DocumentBook(wiring.calendar_store(), SystemClock(), StaleCalendar)
    return CalendarBook(book, wiring.control_store(), wiring.timetable(), wiring.settings().budget, SystemClock())


@cache
def pool_book() -> PoolBook:
    book = DocumentBook(wiring.pool_rule_store(), SystemClock(), StalePoolRules)
    return PoolBook(book, wiring.observer().intake_budget, wiring.prices())


@cache
def price_book() -> PriceBook:
    return PriceBook(DocumentBook(wiring.price_store(), SystemClock(), StalePrices), wiring.prices(), SystemClock())


@cache
def spending_control() -> SpendingControl:
    book = DocumentBook(wiring.spending_store(), SystemClock(), StaleSpending)
    return SpendingControl(book, wiring.spending_book(), wiring.settings().budget)


@cache
def rule_book() -> RuleBook:
    book = DocumentBook(wiring.rule_store(), SystemClock(), StaleRules)
    return RuleBook(book, wiring.job_store(), wiring.gate(), SystemClock())


@cache
def caller_book() -> CallerBook:
    book = DocumentBook(wiring.caller_store(), SystemClock(), StaleCallers)
    return CallerBook(book, wiring.job_store(), wiring.access(), SystemClock())


@cache
def queue_control() -> QueueControl:
    return QueueControl(wiring.control_store(), wiring.settings().budget, wiring.timetable(), SystemClock())
