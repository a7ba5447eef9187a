"""What the API sent back: a value, or the error that it means (docs/architecture.md, REST API)."""

import requests

from sagequeue.errors import (
    AccessDenied,
    AlreadyFinished,
    InvalidSubmission,
    NameTaken,
    NotAQueue,
    OverBudget,
    QueueRefusal,
    UnknownJob,
)

_REFUSALS: dict[str, type[QueueRefusal]] = {
    "not_json": InvalidSubmission,
    "invalid_request": InvalidSubmission,
    "unsupported": InvalidSubmission,
    "unknown_token": InvalidSubmission,
    "too_large": InvalidSubmission,
    "over_budget": OverBudget,
    "unknown_job": UnknownJob,
    "name_taken": NameTaken,
    "already_finished": AlreadyFinished,
}


def unpack(response: requests.Response) -> dict[str, object]:
    """The JSON object of an answer. Raises the QueueRefusal that it stands for, or NotAQueue."""
    if response.status_code == requests.codes.forbidden:
        raise _denied(response)
    answer = _json_object(response)
    if not 200 <= response.status_code < 300:
        raise _refusal(response, answer)
    return answer


def _denied(response: requests.Response) -> AccessDenied:
    # The header tells an expired token from a missing permission; the body would name people.
    cause = response.headers.get("x-amzn-ErrorType", "status 403").partition(":")[0]
    return AccessDenied(
        f"The queue's API does not allow this call ({cause}).",
        "Check that you are signed in, that you may execute-api:Invoke, and that the address is the stack's ApiUrl.",
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
    kind = _REFUSALS.get(str(answer.get("error")))
    if kind is None:
        return _not_a_queue(response)
    field = answer.get("field")
    return kind(str(answer["message"]), str(answer.get("remedy") or ""), str(field) if field else None)


def _not_a_queue(response: requests.Response) -> NotAQueue:
    return NotAQueue(
        f"{response.url} answered with status {response.status_code}, and not as a queue does.",
        "Check the address, and that client and stack are of the same version.",
    )
