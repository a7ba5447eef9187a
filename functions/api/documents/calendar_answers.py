"""The JSON of the calendar (docs/api.md), as types."""

from typing_extensions import TypedDict

from api.http import answers
from scheduler.core.calendar.period import Excess


class Period(TypedDict):
    """It lasts until the next one begins. `excess`: what becomes of jobs that hold more than it has."""

    begins: answers.Time
    budget: dict[str, int]
    excess: dict[str, Excess]
    windows: list[str]


class Calendar(answers.Document):
    """The calendar in force; version 0 means that there is none.

    `periods` are the budgets that hold from now on, as far as 28 days ahead. Where an operator has set a budget it is
    the only one: the calendar rests until it is reset.
    """

    rests: bool
    periods: list[Period]


class CalendarTrial(TypedDict):
    """The budgets that a calendar would give from now on."""

    periods: list[Period]
