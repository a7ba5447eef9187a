"""Monthly spending limits and their use."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class SpendingUse(TypedDict):
    """An owner's, team's or tag's use of a limit in this month; None if a count or a price is unknown."""

    limit: str
    kind: str
    scope: str
    measure: str
    most: float
    used: float | None  # running attempts included
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
