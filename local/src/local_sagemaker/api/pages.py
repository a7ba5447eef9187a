"""Cuts what a call found into pages of MaxResults, 10 unless asked otherwise."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from local_sagemaker.errors import invalid
from local_sagemaker.state_machine.job import TrainingJob


def cut(jobs: list[TrainingJob], request: dict[str, Any]) -> tuple[list[TrainingJob], dict[str, str]]:
    """The page that was asked for, and the NextToken of the answer if there are more."""
    start = _start(request.get("NextToken"))
    end = start + request.get("MaxResults", 10)
    return jobs[start:end], {"NextToken": _token(end)} if end < len(jobs) else {}


def _token(position: int) -> str:
    return urlsafe_b64encode(str(position).encode()).decode()


def _start(token: str | None) -> int:
    if token is None:
        return 0
    try:
        return int(urlsafe_b64decode(token))
    except ValueError as error:
        raise invalid("Invalid pagination token.") from error
