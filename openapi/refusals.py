"""The refusals: each has a status, a code and a shape of its own."""

from typing import Any, NamedTuple

from api import answers
from scheduler import refusals


class Refused(NamedTuple):
    status: int
    code: str
    shape: type[Any] = answers.Refusal


_SHAPES = {
    refusals.RuleViolated: answers.RuleRefusal,
    refusals.BadRules: answers.DocumentRefusal,
    refusals.BadCallers: answers.DocumentRefusal,
    refusals.BadCalendar: answers.DocumentRefusal,
    refusals.BadPoolRules: answers.DocumentRefusal,
    refusals.BadPrices: answers.DocumentRefusal,
    refusals.BadSpending: answers.DocumentRefusal,
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
CALLERS = (*refused(refusals.BadCallers), *refused(refusals.BadRequest), *NOT_PERMITTED)
CALENDAR = (*refused(refusals.BadCalendar), *refused(refusals.BadRequest))
RULES = (*refused(refusals.BadRules), *refused(refusals.BadRequest))
POOL_RULES = (*refused(refusals.BadPoolRules), *refused(refusals.BadRequest))
SPENDING = (*refused(refusals.BadSpending), *refused(refusals.BadRequest))
PRICES = (*refused(refusals.BadPrices), *refused(refusals.BadRequest))
