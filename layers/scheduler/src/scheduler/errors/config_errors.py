"""What operators are told when a document of theirs is refused.

BadRequest
├── StaleVersion           a document changed since it was read
│   └── StaleRules, StaleCallers, StaleCalendar, StalePoolRules, StalePrices, StaleSpending
├── BadDocument         a document that is refused whole
│   └── BadRules, BadCallers, BadCalendar, BadPoolRules, BadPrices, BadSpending
└── CallerLockedOut            the caller could not operate the queue any more
"""

from collections.abc import Sequence

from scheduler.errors.problem import Problem
from scheduler.errors.refusals import BadRequest


class StaleVersion(BadRequest):
    """Another version of a document is in force than the one to be replaced."""

    status = 409

    def __init__(self, version: int) -> None:
        super().__init__(
            f"The document is not at version {version} any more",
            field="replaces",
            remedy="Read it, see what changed, and apply yours again.",
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
            f"{caller} could not operate the queue any more under this document",
            field="hand_over",
            remedy="Give it the verb operate, or say hand_over=true if others are to operate the queue.",
        )
