"""Turns the API's answers into values or the matching errors (docs/reference/rest.md)."""

from collections.abc import Mapping
from typing import cast
from urllib.parse import urlsplit

import requests

from sagequeue.api.config_errors import BadConfig, LocksOut, StaleConfig, UnknownVersion
from sagequeue.contract.config import Problem
from sagequeue.contract.jobs import Violation
from sagequeue.errors import (
    AccessDenied,
    AlreadyFinished,
    AnswerTooLarge,
    Busy,
    IntakeClosed,
    InvalidSubmission,
    NameTaken,
    NameUsed,
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
    Unavailable,
    UnknownArray,
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
    "answer_too_large": AnswerTooLarge,
    "over_budget": OverBudget,
    "unknown_job": UnknownJob,
    "unknown_array": UnknownArray,
    "name_taken": NameTaken,
    "name_used": NameUsed,
    "already_finished": AlreadyFinished,
    "not_held": NotHeld,
    "not_queued": NotQueued,
    "busy": Busy,
    "held": WrongState,
    "already_cancelled": WrongState,
    "array_held": WrongState,
    "array_ended": WrongState,
    "attempt_cap": WrongState,
    "no_approval_needed": WrongState,
    "token_reused": TokenReused,
    "rule_violated": RuleViolated,
    "bad_config": BadConfig,
    "stale_config": StaleConfig,
    "unknown_version": UnknownVersion,
    "locks_out": LocksOut,
    "not_permitted": NotPermitted,
    "owner_cap": OwnerCap,
    "intake_closed": IntakeClosed,
    "unreadable_record": Unavailable,
    "request_unavailable": Unavailable,
    "bad_setting": Unavailable,
}

# API Gateway's error type for a signed call to an unknown path.
_NO_SUCH_CALL = "MissingAuthenticationTokenException"
_OTHER_VERSION = "The stack is older than this client. Update the stack, or install the client version that matches it."

# Remedies that name the client's commands, for refusals with a remedy that only fits HTTP callers.
_REMEDIES = {
    "unknown_array": "Run `sagequeue arrays` to list the arrays.",
    "unknown_job": "Run `sagequeue ls` to list the jobs.",
    "too_many_tags": "Remove tags; set options without them: `sagequeue submit --priority 5`, JobQueue(priority=5).",
    "unknown_token": "Pass `next` of the previous page unchanged, or omit it for the first page.",
    "not_held": "Only held jobs can be released; `sagequeue show` shows a job's state.",
    "not_queued": "Only waiting jobs can be changed in this way; `sagequeue show` shows a job's state.",
    "array_held": "Run `sagequeue arrays release` to release the whole array.",
    "busy": "Try again in a moment.",
    "held": "Run `sagequeue release` to put the job back into the queue.",
    "stale_config": "Run `sagequeue config plan` again, and apply the file if the plan is still right.",
    "unknown_version": "Run `sagequeue config log` to list the versions.",
    "token_reused": "Use a new token for each new request; reuse a token only to repeat its request.",
    "intake_closed": "Submit again after an operator has run `sagequeue resume`; "
    "`sagequeue queue` shows whether the queue takes new jobs.",
}


def unpack(response: requests.Response) -> dict[str, object]:
    """Returns the JSON object of an answer. Raises the matching QueueRefusal, or NotAQueue."""
    if response.status_code == requests.codes.forbidden and not is_from_queue(response):
        raise _denied(response)
    answer = _json_object(response)
    if not 200 <= response.status_code < 300:
        raise _refusal(response, answer)
    return answer


#: AWS's error codes for a missing permission: they differ between services.
_DENIALS = frozenset({"AccessDenied", "AccessDeniedException"})


def is_denied(answer: Mapping[str, object]) -> bool:
    """Returns whether an AWS answer, as parsed by botocore, reports a missing permission."""
    error = answer.get("Error")
    return isinstance(error, dict) and error.get("Code") in _DENIALS


def is_from_queue(response: requests.Response) -> bool:
    """Returns whether the answer comes from the queue itself, and not from API Gateway in front of it."""
    try:
        return "error" in _json_object(response)
    except NotAQueue:
        return False


def _denied(response: requests.Response) -> AccessDenied | OtherVersion:
    # The header distinguishes an expired token from a missing permission. The body does, too, but it names the caller.
    cause = response.headers.get("x-amzn-ErrorType", "status 403").partition(":")[0]
    if cause == _NO_SUCH_CALL:
        return OtherVersion(
            f"The stack has no call {response.request.method} {urlsplit(response.url).path}.", _OTHER_VERSION
        )
    return AccessDenied(
        f"The queue's API does not allow this call ({cause}).",
        "Check that you are signed in and have execute-api:Invoke, and that the address is the stack's ApiUrl.",
    )


def _json_object(response: requests.Response) -> dict[str, object]:
    try:
        answer = response.json()
    except requests.JSONDecodeError as error:
        raise _not_a_queue(response) from error
    if not isinstance(answer, dict):
        raise _not_a_queue(response)
    return answer


def _refusal(response: requests.Response, answer: dict[str, object]) -> QueueRefusal | NotAQueue:
    code, message = answer.get("error"), answer.get("message")
    if not isinstance(code, str) or not isinstance(message, str):
        return _not_a_queue(response)
    if code == "unknown_path":
        return OtherVersion(message, _OTHER_VERSION)
    kind = _REFUSALS.get(code, QueueRefusal)  # a newer stack may use a code that this client does not know
    field = answer.get("field")
    refusal = kind(message, _REMEDIES.get(code) or str(answer.get("remedy") or ""), str(field) if field else None)
    if isinstance(refusal, RuleViolated):
        refusal.violations = cast(list[Violation], answer.get("violations") or [])
    if isinstance(refusal, BadConfig):
        refusal.problems = cast(list[Problem], answer.get("problems") or [])
    return refusal


def _not_a_queue(response: requests.Response) -> QueueRefusal | NotAQueue:
    """Returns the error for an answer that the queue's own code did not write."""
    if response.status_code == requests.codes.request_entity_too_large:
        return _too_large(response)
    return NotAQueue(
        f"{response.url.partition('?')[0]} does not answer like a queue (status {response.status_code}).",
        "Check the address, and that the client and the stack have the same version.",
    )


def _too_large(response: requests.Response) -> TooLarge:
    # API Gateway itself gives this answer: as JSON from 6 MB on (Lambda's limit), and as plain text from 10 MB on (its
    # own limit). The answer's text cannot be replaced, because API Gateway ignores a GatewayResponse of the type
    # REQUEST_TOO_LARGE.
    return TooLarge(
        f"The request has {response.request.headers['Content-Length']} bytes; the queue accepts at most 1.25 MB.",
        "Put large hyperparameters into a file in S3, and pass its location.",
    )
