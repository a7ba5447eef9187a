"""The refusals of operators' documents."""

from collections.abc import Sequence
from typing import NamedTuple

from scheduler.errors.refusals import BadRequest


class Problem(NamedTuple):
    line: int | None  # from 1
    field: str
    message: str

    def __str__(self) -> str:
        position = f"line {self.line}: " if self.line else ""
        return f"{position}{self.field} {self.message}" if self.field else f"{position}{self.message}"


class StaleVersion(BadRequest):
    """The applied version of a document is not the one that the caller wants to replace."""

    status = 409

    def __init__(self, kind: str, version: int) -> None:
        super().__init__(
            f"The document is no longer at version {version}",
            field="replaces",
            remedy="Read the document again, merge your changes, and apply it.",
        )
        self.code = f"stale_{kind}"


class BadDocument(BadRequest):
    """A document has problems, and is refused as a whole."""

    def __init__(self, kind: str, problems: Sequence[Problem]) -> None:
        super().__init__(
            "; ".join(map(str, problems)),
            field=problems[0].field or None,
            remedy="Correct the document and send it again. The applied version has not changed.",
        )
        self.code = f"bad_{kind}"
        self.problems = tuple(problems)

    @property
    def details(self) -> dict[str, object]:
        return {"problems": [problem._asdict() for problem in self.problems]}


class CallerLockedOut(BadRequest):
    status = 409
    code = "locks_out"

    def __init__(self, caller: str) -> None:
        super().__init__(
            f"Under this document, {caller} could no longer operate the queue",
            field="hand_over",
            remedy="Give it the verb operate, or set hand_over=true to hand the queue over to other operators.",
        )
