"""Errors about the operators' documents.

QueueRefusal
├── BadDocument         ValidationException, with every problem of the document
│   ├── BadRules
│   ├── BadCallers
│   ├── BadCalendar
│   ├── BadPoolRules
│   ├── BadPrices
│   └── BadSpending
├── StaleDocument       ResourceInUse: another operator changed it
│   ├── StaleRules
│   ├── StaleCallers
│   ├── StaleCalendar
│   ├── StalePoolRules
│   ├── StalePrices
│   └── StaleSpending
└── LocksOut            ValidationException: you would no longer be an operator
"""

from collections.abc import Sequence

from sagequeue.contract.documents import Problem
from sagequeue.errors import QueueRefusal


class BadDocument(QueueRefusal):
    """A document was refused as a whole; `problems` has one entry for each problem."""

    code = "ValidationException"

    def __init__(
        self, message: str, remedy: str = "", field: str | None = None, problems: Sequence[Problem] = ()
    ) -> None:
        super().__init__(message, remedy, field)
        self.problems = list(problems)


class BadRules(BadDocument):
    pass


class BadCallers(BadDocument):
    pass


class BadCalendar(BadDocument):
    pass


class BadPoolRules(BadDocument):
    pass


class BadPrices(BadDocument):
    pass


class BadSpending(BadDocument):
    pass


class StaleDocument(QueueRefusal):
    code = "ResourceInUse"
    status = 409


class StaleRules(StaleDocument):
    pass


class StaleCallers(StaleDocument):
    pass


class StaleCalendar(StaleDocument):
    pass


class StalePoolRules(StaleDocument):
    pass


class StalePrices(StaleDocument):
    pass


class StaleSpending(StaleDocument):
    pass


class LocksOut(QueueRefusal):
    code = "ValidationException"
    status = 409
