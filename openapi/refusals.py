"""The refusals: each has a status, a code and a shape of its own."""

from typing import Any, NamedTuple

from api import answers
from scheduler import errors


class Refused(NamedTuple):
    status: int
    code: str
    shape: type[Any] = answers.Refusal


_SHAPES = {errors.RuleViolated: answers.RuleRefusal, errors.BadRules: answers.DocumentRefusal}


def refused(*kinds: type[errors.BadRequest]) -> tuple[Refused, ...]:
    return tuple(Refused(kind.status, kind.code, _SHAPES.get(kind, answers.Refusal)) for kind in kinds)


# What functions/api/handler.py makes of the errors that are no refusals in themselves.
UNKNOWN_JOB = (Refused(404, "unknown_job"),)
BUSY = (Refused(409, "busy"),)
BAD_SETTING = (Refused(503, "bad_setting"),)

UNREADABLE = refused(errors.UnreadableRecord)
CONTROLS = (*BUSY, *UNREADABLE)
BODY = refused(errors.NotJson, errors.BadRequest, errors.TooLarge)
SUBMISSION = (
    *BODY,
    *refused(errors.TooManyTags, errors.Unsupported, errors.BeyondBudget, errors.NameTaken, errors.TokenReused),
    *refused(errors.IntakeClosed, errors.OwnerCapReached, errors.RuleViolated),
)
RULES = (*refused(errors.BadRules), *refused(errors.BadRequest))
