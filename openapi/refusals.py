"""The refusals of the API: status, code and JSON type of each."""

from typing import Any, NamedTuple

from api.http import answers
from scheduler.errors import config_errors, refusals


class Refused(NamedTuple):
    status: int
    code: str
    shape: type[Any] = answers.Refusal


_SHAPES = {
    refusals.RuleViolated: answers.RuleRefusal,
    config_errors.BadRules: answers.DocumentRefusal,
    config_errors.BadCallers: answers.DocumentRefusal,
    config_errors.BadCalendar: answers.DocumentRefusal,
    config_errors.BadPoolRules: answers.DocumentRefusal,
    config_errors.BadPrices: answers.DocumentRefusal,
    config_errors.BadSpending: answers.DocumentRefusal,
}


def refused(*kinds: type[refusals.BadRequest]) -> tuple[Refused, ...]:
    return tuple(Refused(kind.status, kind.code, _SHAPES.get(kind, answers.Refusal)) for kind in kinds)


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
CALLERS = (*refused(config_errors.BadCallers), *refused(refusals.BadRequest), *NOT_PERMITTED)
CALENDAR = (*refused(config_errors.BadCalendar), *refused(refusals.BadRequest))
RULES = (*refused(config_errors.BadRules), *refused(refusals.BadRequest))
POOL_RULES = (*refused(config_errors.BadPoolRules), *refused(refusals.BadRequest))
SPENDING = (*refused(config_errors.BadSpending), *refused(refusals.BadRequest))
PRICES = (*refused(config_errors.BadPrices), *refused(refusals.BadRequest))
