"""JSON types that several answers share (docs/reference/rest.md). docs/openapi.json is generated from them.

They use TypedDict from typing_extensions, because pydantic accepts the standard library's version only from Python 3.12
on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from scheduler.core.jobs import reason
from scheduler.errors import refusals


@dataclass(frozen=True, slots=True)
class _Format:
    """Sets the format of a string in its JSON schema."""

    name: str

    def __get_pydantic_json_schema__(self, core: object, schema_of: Callable[[object], dict[str, Any]]) -> Any:
        return schema_of(core) | {"format": self.name}


Time = Annotated[str, _Format("date-time")]
Day = Annotated[str, _Format("date")]


class Reason(TypedDict):
    """Why a job is in its state. Clients may branch on the code, but never on the message."""

    code: reason.ReasonCode
    message: str


class Violation(TypedDict):
    """A field of a job that breaks a rule, and what to do about it."""

    rule: str
    field: str
    message: str
    remedy: str


class BudgetLine(TypedDict):
    """The budget's limit for one instance type, and the number of instances in use."""

    limit: int
    held: int


def violation_view(broken: refusals.Violation) -> Violation:
    return {"rule": broken.rule, "field": broken.field, "message": broken.message, "remedy": broken.remedy}


def reason_view(given: reason.Reason) -> Reason:
    return {"code": given.code, "message": given.message}


def time_view(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def optional_time_view(moment: datetime | None) -> str | None:
    return time_view(moment) if moment else None
