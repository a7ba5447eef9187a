"""What the API sent back: a value, or the error that it means (docs/api.md)."""

from typing import cast
from urllib.parse import urlsplit

import requests

from sagequeue.api.document_errors import (
    BadCalendar,
    BadCallers,
    BadDocument,
    BadPoolRules,
    BadPrices,
    BadRules,
    BadSpending,
    LocksOut,
    StaleCalendar,
    StaleCallers,
    StalePoolRules,
    StalePrices,
    StaleRules,
    StaleSpending,
)
from sagequeue.contract.documents import Problem
from sagequeue.contract.rules import Violation
from sagequeue.errors import (
    AccessDenied,
    AlreadyFinished,
    Busy,
    IntakeClosed,
    InvalidSubmission,
    NameTaken,
    NotAQueue,
    NotHeld,
    NotPermitted,
    NotQueued,
    OtherVersion,
    OverBudget,
    OwnerCap,
    QueueRefusal,
    RuleViolated,
    TokenReused,
    TooLarge,
    TooManyTags,
    UnknownJob,
    WrongState,
)

_REFUSALS: dict[str, type[QueueRefusal]] = {
    "not_json": InvalidSubmission,
    "invalid_request": InvalidSubmission,
    "too_many_tags": TooManyTags,
    "unsupported": InvalidSubmission,
    "unknown_token": InvalidSubmission,
    "too_large": TooLarge,
    "over_budget": OverBudget,
    "unknown_job": UnknownJob,
    "name_taken": NameTaken,
    "already_finished": AlreadyFinished,
    "not_held": NotHeld,
    "not_queued": NotQueued,
    "busy": Busy,
    "held": WrongState,
    "already_cancelled": WrongState,
    "token_reused": TokenReused,
    "rule_violated": RuleViolated,
    "bad_rules": BadRules,
    "stale_rules": StaleRules,
    "bad_callers": BadCallers,
    "stale_callers": StaleCallers,
    "bad_calendar": BadCalendar,
    "stale_calendar": StaleCalendar,
    "bad_pool_rules": BadPoolRules,
    "stale_pool_rules": StalePoolRules,
    "bad_prices": BadPrices,
    "stale_prices": StalePrices,
    "bad_spending": BadSpending,
    "stale_spending": StaleSpending,
    "locks_out": LocksOut,
    "not_permitted": NotPermitted,
    "owner_cap": OwnerCap,
    "intake_closed": IntakeClosed,
}

# What API Gateway answers to a signed call of a path that it does not have.
_NO_SUCH_CALL = "MissingAuthenticationTokenException"
_OTHER_VERSION = "The stack is older than this client: deploy it anew, or install the client of its version."

# Where the API's own remedy speaks of HTTP, or leaves out what people with this client can do.
_REMEDIES = {
    "unknown_job": "`sagequeue ls` shows the jobs.",
    "too_many_tags": "Leave some out. Options need no tag: `sagequeue submit --priority 5`, JobQueue(priority=5).",
    "unknown_token": "Pass `next` of the page before unchanged, or leave it out for the first page.",
    "not_held": "`sagequeue show` tells its state; only a job that is held can be released.",
    "not_queued": "`sagequeue show` tells its state; this is for jobs that wait.",
    "busy": "Others change the same at this moment, and nothing was changed for you: do it again.",
    "held": "`sagequeue release` lets it wait for its instances again.",
    "stale_rules": "`sagequeue rules show` shows what is in force now; apply yours again if it is still right.",
    "stale_pool_rules": "`sagequeue pools rules show` shows what is in force now; apply yours if it is still right.",
    "stale_prices": "`sagequeue prices show` shows what is in force now; apply yours if it is still right.",
    "stale_spending": "`sagequeue spending show` shows what is in force now; apply yours if it is still right.",
    "stale_callers": "`sagequeue callers show` shows what is in force now; apply yours again if it is still right.",
    "stale_calendar": "`sagequeue calendar show` shows what is in force now; apply yours again if it is still right.",
    "locks_out": "Give yourself the verb operate, or apply it with --hand-over if others are to operate the queue.",
    "token_reused": "Take a new token for a new request, and the old one only to repeat the same.",
    "intake_closed": "Submit again when the operators have opened the queue (`sagequeue resume`); "
    "`sagequeue queue` tells whether it is open.",
}


def unpack(response: requests.Response) -> dict[str, object]:
    """The JSON object of an answer. Raises the QueueRefusal that it stands for, or NotAQueue."""
    if response.status_code == requests.codes.forbidden and not is_queues_own(response):
        raise _denied(response)
    answer = _json_object(response)
    if not 200 <= response.status_code < 300:
        raise _refusal(response, answer)
    return answer


def is_queues_own(response: requests.Response) -> bool:
    """Whether the queue refused, and not API Gateway before it."""
    try:
        return "error" in _json_object(response)
    except NotAQueue:
        return False


def _denied(response: requests.Response) -> AccessDenied | OtherVersion:
    # The header tells an expired token from a missing permission; the body would name people.
    cause = response.headers.get("x-amzn-ErrorType", "status 403").partition(":")[0]
    if cause == _NO_SUCH_CALL:
        return OtherVersion(f"The stack does not know {response.request.method} {_path(response)}.", _OTHER_VERSION)
    return AccessDenied(
        f"The queue's API does not allow this call ({cause}).",
        "Check that you are signed in, that you may execute-api:Invoke, and that the address is the stack's ApiUrl.",
    )


def _path(response: requests.Response) -> str:
    return urlsplit(response.url).path


def _json_object(response: requests.Response) -> dict[str, object]:
    try:
        answer = response.json()
    except requests.JSONDecodeError as error:
        raise _foreign(response) from error
    if not isinstance(answer, dict):
        raise _foreign(response)
    return answer


def _refusal(response: requests.Response, answer: dict[str, object]) -> QueueRefusal | NotAQueue:
    code, message = answer.get("error"), answer.get("message")
    if not isinstance(code, str) or not isinstance(message, str):
        return _foreign(response)
    if code == "unknown_path":
        return OtherVersion(message, _OTHER_VERSION)
    kind = _REFUSALS.get(code, QueueRefusal)  # a newer stack may have reasons of its own
    field = answer.get("field")
    refusal = kind(message, _REMEDIES.get(code) or str(answer.get("remedy") or ""), str(field) if field else None)
    if isinstance(refusal, RuleViolated):
        refusal.violations = cast(list[Violation], answer.get("violations") or [])
    if isinstance(refusal, BadDocument):
        refusal.problems = cast(list[Problem], answer.get("problems") or [])
    return refusal


def _foreign(response: requests.Response) -> QueueRefusal | NotAQueue:
    """The queue's own code did not write this answer."""
    if response.status_code == requests.codes.request_entity_too_large:
        return _too_large(response)
    return NotAQueue(
        f"{response.url.partition('?')[0]} answered with status {response.status_code}, and not as a queue does.",
        "Check the address, and that client and stack are of the same version.",
    )


def _too_large(response: requests.Response) -> TooLarge:
    # API Gateway itself says this from 6 MB on (Lambda's limit, as JSON) and from 10 MB on (its own, as plain text).
    # It cannot be made to say it in the queue's words: it ignores a GatewayResponse of the type REQUEST_TOO_LARGE.
    return TooLarge(
        f"The request has {response.request.headers['Content-Length']} bytes; the queue takes 4 MB at most.",
        "Put large hyperparameters into a file on S3 and pass its location.",
    )
