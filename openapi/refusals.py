"""The API's refusals: the status, code and JSON type of each. functions/api/handler.py makes their JSON."""

from typing import Any, NamedTuple

from typing_extensions import TypedDict

from api.answers import Violation
from scheduler.errors import refusals, unreadable, wrong_state
from scheduler.errors.config_errors import BadConfig, CallerLockedOut, StaleVersion, UnknownVersion


class Problem(TypedDict):
    """A problem in a configuration file. `line` counts from 1; null if the problem is not on a single line."""

    line: int | None
    field: str
    message: str


class Refusal(TypedDict):
    """A refused call. Clients may branch on `error`, never on the message. `field` is the path of the invalid value."""

    error: str
    message: str
    field: str | None
    remedy: str


class RuleRefusal(Refusal):
    violations: list[Violation]


class ConfigRefusal(Refusal):
    problems: list[Problem]


class Refused(NamedTuple):
    status: int
    code: str
    shape: type[Any] = Refusal


def refused(*kinds: type[refusals.BadRequest]) -> tuple[Refused, ...]:
    return tuple(Refused(kind.status, kind.code, _SHAPES.get(kind, Refusal)) for kind in kinds)


_SHAPES: dict[type[refusals.BadRequest], type[Any]] = {
    refusals.RuleViolated: RuleRefusal,
    BadConfig: ConfigRefusal,
}


# Errors that functions/api/handler.py turns into refusals.
UNKNOWN_JOB = (Refused(404, "unknown_job"),)
UNKNOWN_ARRAY = (Refused(404, "unknown_array"),)
BUSY = (Refused(409, "busy"),)
#: Refusals that every call may get.
OF_EACH_CALL = (Refused(503, "bad_setting"), *refused(refusals.AnswerTooLarge))

NOT_PERMITTED = refused(refusals.NotPermitted)
UNREADABLE = refused(unreadable.UnreadableRecord)
REQUEST = (*UNREADABLE, Refused(503, "request_unavailable"))
CONTROLS = (*BUSY, *UNREADABLE)
BODY = refused(refusals.NotJson, refusals.BadRequest, refusals.TooLarge)
CONFIG_FILE = (*refused(BadConfig, refusals.BadRequest), *NOT_PERMITTED, *UNREADABLE)
APPLIED = (*CONFIG_FILE, *refused(StaleVersion, CallerLockedOut))
ROLLED_BACK = (*APPLIED, *refused(UnknownVersion))
SHOWN = (*refused(refusals.BadRequest, UnknownVersion), *NOT_PERMITTED, *UNREADABLE)
SUBMISSION = (
    *BODY,
    *NOT_PERMITTED,
    *refused(refusals.TooManyTags, refusals.Unsupported, refusals.BeyondBudget, refusals.NameTaken, refusals.NameUsed),
    *refused(
        refusals.TokenReused,
        refusals.IntakeClosed,
        refusals.OwnerCapReached,
        wrong_state.AttemptCapReached,
        refusals.RuleViolated,
    ),
    *UNREADABLE,
)
