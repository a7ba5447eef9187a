"""The JSON of what may be spent in a month (docs/api.md), as types."""

from typing_extensions import TypedDict

from api.http import answers
from scheduler.core.spending.limits import Measure, ScopeKind, Then, UseState


class SpendingUse(TypedDict):
    """How far an owner, team or tag has used a limit in this month.

    `used` counts what runs, too, which is `running`; `forecast` is the use at the end of the month if it goes on as it
    did since its beginning. All three are null, and the state is `unknown`, where a count or a price is not known.
    """

    limit: str
    kind: ScopeKind
    scope: str
    measure: Measure
    most: float
    used: float | None
    running: float | None
    forecast: float | None
    warn_at: float
    then: Then
    state: UseState
    reason: str | None


class MonthlySpending(TypedDict):
    name: str
    begins: answers.Time
    ends: answers.Time
    time_zone: str


class Spending(answers.Document):
    """The limits in force, version 0 if there are none, and how far they are used.

    If the document is not `readable`, nothing is started until another one is put into force.
    """

    readable: bool
    month: MonthlySpending | None
    uses: list[SpendingUse]
