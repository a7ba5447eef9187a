"""The refusals of the API: status, code and JSON type of each."""

from typing import Any, NamedTuple

from api import answers
from scheduler.core.documents.document import DocumentKind
from scheduler.errors import refusals
from scheduler.errors.config_errors import BadDocument, StaleVersion


class Refused(NamedTuple):
    status: int
    code: str
    shape: type[Any] = answers.Refusal


def refused(*kinds: type[refusals.BadRequest]) -> tuple[Refused, ...]:
    return tuple(
        Refused(kind.status, kind.code, answers.RuleRefusal if kind is refusals.RuleViolated else answers.Refusal)
        for kind in kinds
    )


def refused_document(kind: DocumentKind) -> tuple[Refused, ...]:
    """Returns the refusals of a checked document, whose body needs not be JSON."""
    return (Refused(BadDocument.status, f"bad_{kind}", answers.DocumentRefusal), *refused(refusals.BadRequest))


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
