"""What may be spent in a month, and what has been."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class SpendingUse(TypedDict):
    """How far an owner, team or tag has used a limit in this month; None where a count or a price is not known."""

    limit: str
    kind: str
    scope: str
    measure: str
    most: float
    used: float | None  # what runs included
    running: float | None
    forecast: float | None  # at the end of the month
    warn_at: float
    then: str
    state: str
    reason: str | None


class MonthlySpending(TypedDict):
    name: str
    begins: str
    ends: str
    time_zone: str


class Spending(Document):
    readable: bool
    month: MonthlySpending | None
    uses: list[SpendingUse]
