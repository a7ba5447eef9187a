"""The calendar: budgets that change on a schedule."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class Period(TypedDict):
    """A budget, and the treatment of jobs over budget, until the next period begins."""

    begins: str
    budget: dict[str, int]
    excess: dict[str, str]
    windows: list[str]  # of the calendar; empty: the stack's own budget


class Calendar(Document):
    rests: bool  # an operator's own budget overrides it
    periods: list[Period]


class CalendarDryRun(TypedDict):
    periods: list[Period]
