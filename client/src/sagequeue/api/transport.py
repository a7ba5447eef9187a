"""HTTP for the queue's API: each call is signed, repeated while that may help, and bounded in time."""

from typing import Any, Self

import boto3
import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry
from urllib3.exceptions import ConnectTimeoutError, MaxRetryError

from sagequeue.api.signing import ExecuteApiAuth
from sagequeue.errors import QueueUnreachable

_TIMEOUT = (5, 35)  # seconds to connect, and to answer: API Gateway itself gives up after 29
_PASSING = frozenset({429, 500, 502, 503, 504})
_NOTHING_SENT = (
    "Nothing was sent, so nothing was submitted or changed. Check the address and the network, and try again."
)


class _NobodyThere(MaxRetryError):
    """No try got as far as a connection."""


class _Retries(Retry):
    def increment(self, *call: Any, **outcome: Any) -> Self:
        try:
            return super().increment(*call, **outcome)
        except MaxRetryError as last:
            tries = [*(past.error for past in self.history), outcome.get("error")]
            if all(isinstance(error, ConnectTimeoutError) for error in tries):  # a refused connection is one, too
                raise _NobodyThere(last.pool, last.url or "", last.reason) from last
            raise


# Every call may be sent twice without harm: a name with the same body is the same job, and a cancel stays a cancel.
_RETRY = _Retries(
    total=5,
    connect=3,
    status_forcelist=_PASSING,
    allowed_methods=None,
    backoff_factor=0.5,
    backoff_jitter=0.5,
    raise_on_status=False,
)


class Transport:
    """The connection to one API. What the calls mean is the caller's business."""

    def __init__(self, session: boto3.Session, api_url: str) -> None:
        self._api_url = api_url
        self._http = requests.Session()
        self._http.auth = ExecuteApiAuth(session, api_url)
        self._http.mount(api_url, HTTPAdapter(max_retries=_RETRY))

    def send(self, method: str, path: str, body: bytes | None, if_lost: str) -> requests.Response:
        """Raises QueueUnreachable; its remedy is `if_lost` if the call may have been carried out all the same."""
        url = self._api_url + path
        try:
            response = self._http.request(method, url, data=body, timeout=_TIMEOUT, allow_redirects=False)
        except requests.RequestException as error:
            raise self._unreachable(_cause(error), _NOTHING_SENT if _was_not_sent(error) else if_lost) from error
        if response.status_code in _PASSING:
            raise self._unreachable(f"it keeps answering with status {response.status_code}", if_lost)
        return response

    def _unreachable(self, cause: str, if_lost: str) -> QueueUnreachable:
        return QueueUnreachable(f"The queue at {self._api_url} cannot be reached: {cause}.", if_lost)


def _was_not_sent(error: requests.RequestException) -> bool:
    return bool(error.args) and isinstance(error.args[0], _NobodyThere)


def _cause(error: requests.RequestException) -> str:
    """The words of the innermost error: the outer ones only tell of retries."""
    wrapped = error.args[0] if error.args else error
    return str(getattr(wrapped, "reason", wrapped)).rstrip(".")
