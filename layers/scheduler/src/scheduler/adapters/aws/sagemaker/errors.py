"""Translates SageMaker's errors into the queue's terms, without quoting secrets."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime

from botocore.exceptions import ClientError, HTTPClientError, ParamValidationError
from botocore.exceptions import ConnectionError as NotConnected

from scheduler.core.requests.redaction import redacted
from scheduler.errors import internal

_QUOTA = re.compile(r"is (?P<limit>\d+) (?P<unit>\w+).* request delta of (?P<delta>\d+) (?P=unit)")
_FINISHED = re.compile(r"job is in status (Completed|Failed|Stopped)")
_STOPPING = "job is in status Stopping"
_NOWHERE = "is not available in this region"
# Error messages from IAM and S3 until a new role or policy has propagated (aws-facts 2.25).
_NOT_YET_ALLOWED = re.compile(
    r"Could not assume role|Unauthorized to List objects|Access denied to OutputDataConfig"
    r"|no identity-based policy allows|Access denied for repository"
    # These may concern the function's own role, which a deployment has just created.
    r"|is not authorized to perform: (?!.*explicit deny)(iam:PassRole|sagemaker:)|security token .* is invalid"
)
# SageMaker's texts for training and tuning jobs, and for processing jobs.
_NOT_FOUND = ("Requested resource not found", "Could not find requested job")
_UNSENDABLE = (
    "This version of the queue cannot send the request: boto3 does not know one of its members, or the type of a value"
)
_NO_REQUEST: Mapping[str, object] = {}


@contextmanager
def translated_errors(translate: Callable[[ClientError], internal.TrainingServiceError]) -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        raise translate(error) from error
    except ParamValidationError:
        raise internal.Refused(_UNSENDABLE) from None  # no cause: its text quotes the request
    except (NotConnected, HTTPClientError) as error:
        raise internal.OutcomeUnknown(str(error)) from error


def create_error(error: ClientError, request: Mapping[str, object]) -> internal.TrainingServiceError:
    code, message = _code_and_message(error)
    shown = redacted(message, request)
    match code:
        case "ResourceInUse":
            return internal.AttemptExists(shown)
        case "ResourceLimitExceeded":
            # Waiting cannot help if the request exceeds the whole quota. It may help if the text is unknown (aws-facts
            # 2.22).
            quota = _QUOTA.search(message)
            never = _NOWHERE in message or (quota is not None and int(quota["limit"]) < int(quota["delta"]))
            return internal.LimitExceeded(shown, may_pass=not never)
    return any_error(error, request)


def lookup_error(error: ClientError) -> internal.TrainingServiceError:
    code, message = _code_and_message(error)
    if code == "ResourceNotFound" or any(text in message for text in _NOT_FOUND):
        return internal.AttemptUnknown(message)
    if _FINISHED.search(message):
        return internal.AlreadyEnded(message)
    if _STOPPING in message:
        return internal.AlreadyStopping(message)
    return any_error(error)


def any_error(error: ClientError, request: Mapping[str, object] = _NO_REQUEST) -> internal.TrainingServiceError:
    """Translates any other error.

    A throttled call had no effect, but a call with a 5xx error may have had one (aws-facts 2.32, 2.27).
    """
    code, message = _code_and_message(error)
    shown = redacted(message, request)
    if code in {"ThrottlingException", "Throttling", "TooManyRequestsException"}:
        return internal.Throttled(shown)
    if error.response["ResponseMetadata"]["HTTPStatusCode"] >= 500:
        return internal.OutcomeUnknown(shown)
    return internal.Refused(f"{code}: {shown}", may_pass=_NOT_YET_ALLOWED.search(message) is not None)


def _code_and_message(error: ClientError) -> tuple[str, str]:
    """Returns an error's code and SageMaker's text. The text may quote secrets: redact it before storing it."""
    return error.response["Error"]["Code"], error.response["Error"]["Message"]


def utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
