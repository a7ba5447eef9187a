"""The refusals: each has a status, a code and a shape of its own."""

from typing import Any, NamedTuple

from api import answers
from scheduler import document_refusals, refusals


class Refused(NamedTuple):
    status: int
    code: str
    shape: type[Any] = answers.Refusal


_SHAPES = {
    refusals.RuleViolated: answers.RuleRefusal,
    document_refusals.BadRules: answers.DocumentRefusal,
    document_refusals.BadCallers: answers.DocumentRefusal,
    document_refusals.BadCalendar: answers.DocumentRefusal,
    document_refusals.BadPoolRules: answers.DocumentRefusal,
    document_refusals.BadPrices: answers.DocumentRefusal,
    document_refusals.BadSpending: answers.DocumentRefusal,
}


def refused(*kinds: type[refusals.BadRequest]) -> tuple[Refused, ...]:
    return tuple(Refused(kind.status, kind.code, _SHAPES.get(kind, answers.Refusal)) for kind in kinds)


# What functions/api/handler.py makes of the errors that are no refusals in themselves.
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
CALLERS = (*refused(document_refusals.BadCallers), *refused(refusals.BadRequest), *NOT_PERMITTED)
CALENDAR = (*refused(document_refusals.BadCalendar), *refused(refusals.BadRequest))
RULES = (*refused(document_refusals.BadRules), *refused(refusals.BadRequest))
POOL_RULES = (*refused(document_refusals.BadPoolRules), *refused(refusals.BadRequest))
SPENDING = (*refused(document_refusals.BadSpending), *refused(refusals.BadRequest))
PRICES = (*refused(document_refusals.BadPrices), *refused(refusals.BadRequest))
