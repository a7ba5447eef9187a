"""The refusals of the API: status, code and JSON type of each. functions/api/handler.py makes their JSON."""

from typing import Any, NamedTuple

from typing_extensions import TypedDict

from api.answers import Violation
from scheduler.core.documents.document import DocumentKind
from scheduler.errors import refusals
from scheduler.errors.config_errors import BadDocument, StaleVersion


class Problem(TypedDict):
    """A problem in an operator's document. Lines count from 1."""

    line: int | None
    field: str
    message: str


class Refusal(TypedDict):
    """A refused call. Clients may branch on `error`, never on the message. `field` is the path of the wrong value."""

    error: str
    message: str
    field: str | None
    remedy: str


class RuleRefusal(Refusal):
    violations: list[Violation]


class DocumentRefusal(Refusal):
    problems: list[Problem]


class Refused(NamedTuple):
    status: int
    code: str
    shape: type[Any] = Refusal


def refused(*kinds: type[refusals.BadRequest]) -> tuple[Refused, ...]:
    return tuple(
        Refused(kind.status, kind.code, RuleRefusal if kind is refusals.RuleViolated else Refusal) for kind in kinds
    )


def refused_document(kind: DocumentKind) -> tuple[Refused, ...]:
    """Returns the refusals of a checked document, whose body needs not be JSON."""
    return (Refused(BadDocument.status, f"bad_{kind}", DocumentRefusal), *refused(refusals.BadRequest))


def stale(kind: DocumentKind) -> tuple[Refused, ...]:
    return (Refused(StaleVersion.status, f"stale_{kind}"),)


# Errors that functions/api/handler.py turns into refusals.
UNKNOWN_JOB = (Refused(404, "unknown_job"),)
BUSY = (Refused(409, "busy"),)
BAD_SETTING = (Refused(503, "bad_setting"),)

NOT_PERMITTED = refused(refusals.NotPermitted)
UNREADABLE = refused(refusals.UnreadableRecord)
REQUEST = (*UNREADABLE, Refused(503, "request_unavailable"))
CONTROLS = (*BUSY, *UNREADABLE)
BODY = refused(refusals.NotJson, refusals.BadRequest, refusals.TooLarge)
SUBMISSION = (
    *BODY,
    *NOT_PERMITTED,
    *refused(
        refusals.TooManyTags, refusals.Unsupported, refusals.BeyondBudget, refusals.NameTaken, refusals.TokenReused
    ),
    *refused(refusals.IntakeClosed, refusals.OwnerCapReached, refusals.RuleViolated),
)
