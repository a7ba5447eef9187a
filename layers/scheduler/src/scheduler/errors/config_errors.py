"""The refusals of operators' documents.

BadRequest
├── StaleVersion        a document changed since it was read
│   └── StaleRules, StaleCallers, StaleCalendar, StalePoolRules, StalePrices, StaleSpending
├── BadDocument         a document has problems, and is refused as a whole
│   └── BadRules, BadCallers, BadCalendar, BadPoolRules, BadPrices, BadSpending
└── CallerLockedOut     the caller could no longer operate the queue
"""

from collections.abc import Sequence
from typing import NamedTuple

from scheduler.errors.refusals import BadRequest


class Problem(NamedTuple):
    """One problem in an operators' document."""

    line: int | None  # from 1
    field: str
    message: str

    def __str__(self) -> str:
        position = f"line {self.line}: " if self.line else ""
        return f"{position}{self.field} {self.message}" if self.field else f"{position}{self.message}"


class StaleVersion(BadRequest):
    """The applied version of a document is not the one that the caller wants to replace."""

    status = 409

    def __init__(self, version: int) -> None:
        super().__init__(
            f"The document is no longer at version {version}",
            field="replaces",
            remedy="Read the document again, merge your changes, and apply it.",
        )


class StaleRules(StaleVersion):
    code = "stale_rules"


class StaleCallers(StaleVersion):
    code = "stale_callers"


class StaleCalendar(StaleVersion):
    code = "stale_calendar"


class StalePoolRules(StaleVersion):
    code = "stale_pool_rules"


class StalePrices(StaleVersion):
    code = "stale_prices"


class StaleSpending(StaleVersion):
    code = "stale_spending"


class BadDocument(BadRequest):
    def __init__(self, problems: Sequence[Problem], remedy: str) -> None:
        super().__init__("; ".join(map(str, problems)), field=problems[0].field or None, remedy=remedy)
        self.problems = tuple(problems)

    @property
    def details(self) -> dict[str, object]:
        return {"problems": [problem._asdict() for problem in self.problems]}


class BadRules(BadDocument):
    code = "bad_rules"


class BadCallers(BadDocument):
    code = "bad_callers"


class BadCalendar(BadDocument):
    code = "bad_calendar"


class BadPoolRules(BadDocument):
    code = "bad_pool_rules"


class BadPrices(BadDocument):
    code = "bad_prices"


class BadSpending(BadDocument):
    code = "bad_spending"


class CallerLockedOut(BadRequest):
    status = 409
    code = "locks_out"

    def __init__(self, caller: str) -> None:
        super().__init__(
            f"Under this document, {caller} could no longer operate the queue",
            field="hand_over",
            remedy="Give it the verb operate, or set hand_over=true to hand the queue over to other operators.",
        )
