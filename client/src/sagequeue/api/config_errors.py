"""Defines the errors about the configuration.

QueueRefusal
├── BadConfig           ValidationException, with every problem in the file
├── StaleConfig         ResourceInUse: another operator has applied a version in the meantime
├── UnknownVersion      ValidationException: the version does not exist, or cannot be read
└── LocksOut            ValidationException: the change would remove your permission to change the configuration
"""

from collections.abc import Sequence

from sagequeue.contract.config import Problem
from sagequeue.errors import QueueRefusal


class BadConfig(QueueRefusal):
    """Reports a file that the queue refused as a whole. `problems` has one entry for each problem."""

    code = "ValidationException"

    def __init__(
        self, message: str, remedy: str = "", field: str | None = None, problems: Sequence[Problem] = ()
    ) -> None:
        super().__init__(message, remedy, field)
        self.problems = list(problems)


class StaleConfig(QueueRefusal):
    code = "ResourceInUse"
    status = 409


class UnknownVersion(QueueRefusal):
    code = "ValidationException"
    status = 404


class LocksOut(QueueRefusal):
    code = "ValidationException"
    status = 409
