"""JSON that several answers share (docs/api.md), for docs/openapi.json too.

The types are typing_extensions': pydantic accepts the standard library's TypedDict only from Python 3.12 on.
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
    """Adds the format of a string to its JSON schema."""

    name: str

    def __get_pydantic_json_schema__(self, core: object, schema_of: Callable[[object], dict[str, Any]]) -> Any:
        return schema_of(core) | {"format": self.name}


Time = Annotated[str, _Format("date-time")]
Day = Annotated[str, _Format("date")]


class Reason(TypedDict):
    """The reason of a job's state. Clients may branch on the code, never on the message."""

    code: reason.ReasonCode
    message: str


class Violation(TypedDict):
    """A field of a job that breaks a rule, and the remedy."""

    rule: str
    field: str
    message: str
    remedy: str


class BudgetLine(TypedDict):
    """Instances of one type: the limit of the budget, and those in use."""

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
