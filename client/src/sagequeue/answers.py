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
        raise _foreign(response) from error
    if not isinstance(answer, dict):
        raise _foreign(response)
    return answer


def _refusal(response: requests.Response, answer: dict[str, object]) -> QueueRefusal | NotAQueue:
    kind = _REFUSALS.get(str(answer.get("error")))
    if kind is None:
        return _foreign(response)
    field = answer.get("field")
    return kind(str(answer["message"]), str(answer.get("remedy") or ""), str(field) if field else None)


def _foreign(response: requests.Response) -> QueueRefusal | NotAQueue:
    """The queue's own code did not write this answer."""
    if response.status_code == requests.codes.request_entity_too_large:
        return _too_large(response)
    return NotAQueue(
        f"{response.url} answered with status {response.status_code}, and not as a queue does.",
        "Check the address, and that client and stack are of the same version.",
    )


def _too_large(response: requests.Response) -> InvalidSubmission:
    # API Gateway itself says this from 6 MB on (Lambda's limit, as JSON) and from 10 MB on (its own, as plain text).
    # It cannot be made to say it in the queue's words: it ignores a GatewayResponse of the type REQUEST_TOO_LARGE.
    return InvalidSubmission(
        f"The request has {response.request.headers['Content-Length']} bytes; the queue takes 4 MB at most.",
        "Put large hyperparameters into a file on S3 and pass its location.",
    )
