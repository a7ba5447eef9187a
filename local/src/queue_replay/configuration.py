"""Reads the budget, calendar and prices of a replay, from the queue or from a file."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

import click

from queue_replay.documents import MemoryDocumentStore
from sagequeue import QueueClient
from scheduler.core.calendar.document import calendar_of
from scheduler.core.documents.document import Document
from scheduler.core.spending.prices.document import price_list_of
from scheduler.core.spending.prices.price import Price, PriceList
from scheduler.errors.config_errors import BadDocument
from scheduler.observe.budget_schedule import BudgetSchedule

_Read = TypeVar("_Read")


def own_budget(queue: QueueClient) -> Mapping[str, int]:
    """Returns the budget outside the windows of the calendar."""
    now = queue.budget()
    if now["source"] != "calendar":
        return now["budget"]
    without_windows = (period["budget"] for period in queue.calendar()["periods"] if not period["windows"])
    return next(without_windows, now["budget"])


def budget_schedule(queue: QueueClient, file: Path | None) -> BudgetSchedule:
    """Returns the schedule of the file's calendar, else of the applied one, which an operator's own budget disables."""
    if file is not None:
        return _schedule_of(_read(file, "--calendar", lambda text: (text, calendar_of(text)))[0])
    calendar = queue.calendar()
    return _schedule_of(calendar["text"] if calendar["version"] and not calendar["rests"] else None)


def applied_prices(queue: QueueClient) -> PriceList:
    answer = queue.prices()
    known = {
        kind: Price(Decimal(str(price["dollars_per_hour"])), date.fromisoformat(price["as_of"]), price["source"] or "")
        for kind, price in answer["prices"].items()
        if price["dollars_per_hour"] is not None and price["as_of"] is not None
    }
    return PriceList(known, answer["region"])


def other_prices(file: Path | None, prices: PriceList) -> PriceList:
    return prices if file is None else _read(file, "--prices", lambda text: price_list_of(text, prices))


def _schedule_of(text: str | None) -> BudgetSchedule:
    store = MemoryDocumentStore()
    if text is not None:
        store.add(Document(1, text, "", datetime.fromtimestamp(0, UTC)), by="")
    return BudgetSchedule(store)


def _read(file: Path, option: str, read: Callable[[str], _Read]) -> _Read:
    try:
        return read(file.read_text())
    except BadDocument as error:
        raise click.BadParameter(_problems(file, error), param_hint=option) from error


def _problems(file: Path, error: BadDocument) -> str:
    return "; ".join(f"{file}:{problem.line or 1}: {problem.field} {problem.message}" for problem in error.problems)
