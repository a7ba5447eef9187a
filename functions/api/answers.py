"""The JSON that the API answers with (docs/api.md), as types: what several answers share, and refusals.

docs/openapi.json is made from these types and those of the modules `…_answers`. They are typing_extensions' because
pydantic, which reads them where that document is written, takes the standard library's only from Python 3.12 on.
"""

from collections.abc import Callable
from typing import Annotated, Any

from attrs import frozen
from typing_extensions import TypedDict

from scheduler.core.jobs.reason import ReasonCode


@frozen
class _Format:
    """Says in the document what a text holds."""

    name: str

    def __get_pydantic_json_schema__(self, core: object, schema_of: Callable[[object], dict[str, Any]]) -> Any:
        return schema_of(core) | {"format": self.name}


Time = Annotated[str, _Format("date-time")]
Day = Annotated[str, _Format("date")]


class Reason(TypedDict):
    """Clients may branch on the code, never on the message."""

    code: ReasonCode
    message: str


class Violation(TypedDict):
    """What a rule has against a job."""

    rule: str
    field: str
    message: str
    remedy: str


class BudgetLine(TypedDict):
    limit: int
    held: int


class Document(TypedDict):
    version: int
    text: str
    changed_by: str | None
    changed_at: Time | None


class Problem(TypedDict):
    """What is wrong with a rules document; lines count from 1."""

    line: int | None
    field: str
    message: str


class Refusal(TypedDict):
    """Clients may branch on `error`, never on the message. `field` is the path of what is wrong."""

    error: str
    message: str
    field: str | None
    remedy: str


class RuleRefusal(Refusal):
    violations: list[Violation]


class DocumentRefusal(Refusal):
    problems: list[Problem]
