"""Budgets that change with time."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class Period(TypedDict):
    """A budget, and what becomes of jobs that hold more, until the next period begins."""

    begins: str
    budget: dict[str, int]
    excess: dict[str, str]
    windows: list[str]  # of the calendar; none: the stack's own budget


class Calendar(Document):
    rests: bool  # an operator's own budget comes before it
    periods: list[Period]


class CalendarTrial(TypedDict):
    periods: list[Period]
