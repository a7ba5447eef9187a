"""Sends HTTP calls to the queue's API: signs them, sets timeouts, and retries after transient errors.

botocore signs the calls (SigV4), so every kind of AWS credentials works. All calls of the client go through
Connection, which turns a method, a path and a body into the answer's JSON.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self
from urllib.parse import quote, urlencode

import boto3
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials
from botocore.exceptions import BotoCoreError, ClientError
from requests import PreparedRequest
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3 import Retry
from urllib3.exceptions import ConnectTimeoutError, MaxRetryError

from sagequeue.api.answers import is_from_queue, unpack
from sagequeue.api.endpoint import checked_url, find_api_url, region_of
from sagequeue.errors import CredentialsMissing, NotConfigured, QueueUnreachable

#: The remedy for a lost answer, if repeating the call changes nothing more.
SAFE = "Try again: repeating the same call is safe."
SIGN_IN = "Sign in as for the AWS CLI: aws configure, aws sso login, AWS_PROFILE or AWS_ACCESS_KEY_ID."
_TIMEOUT = (5, 35)  # seconds to connect, and to wait for an answer: API Gateway itself times out after 29 s
_TRANSIENT = frozenset({429, 500, 502, 503, 504})
_NOTHING_SENT = "Nothing was sent or changed. Check the address and the network, and try again."


class _NoConnection(MaxRetryError):
    """Reports that no attempt could connect."""


class _Retries(Retry):
    def increment(self, *call: Any, **outcome: Any) -> Self:
        try:
            return super().increment(*call, **outcome)
        except MaxRetryError as last:
            tries = [*(past.error for past in self.history), outcome.get("error")]
            if all(isinstance(error, ConnectTimeoutError) for error in tries):  # also raised for refused connections
                raise _NoConnection(last.pool, last.url or "", last.reason) from last
            raise


# Every call is safe to repeat: the same name and body mean the same job, and a cancelled job stays cancelled.
_RETRY = _Retries(
    total=5,
    connect=3,
    status_forcelist=_TRANSIENT,
    allowed_methods=None,
    backoff_factor=0.5,
    backoff_jitter=0.5,
    raise_on_status=False,
)


class Connection:
    """Sends calls to the API of one queue."""

    def __init__(self, api_url: str | None = None, session: boto3.Session | None = None) -> None:
        self.session = session or boto3.Session()
        self.api_url = checked_url(api_url) if api_url else find_api_url(self.session)
        self._transport = Transport(self.session, self.api_url)

    @property
    def region(self) -> str | None:
        """Returns the region of the queue and its jobs. For a local queue, returns the session's region."""
        return region_of(self.api_url) or self.session.region_name

    def _call(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        if_lost: str = "Nothing was changed; try again.",
    ) -> dict[str, object]:
        return self._send(method, path, None if body is None else json.dumps(body).encode(), if_lost)

    def _send(self, method: str, path: str, body: bytes | None, if_lost: str) -> dict[str, object]:
        return unpack(self._transport.send(method, path, body, if_lost))


def with_query(path: str, query: Mapping[str, object]) -> str:
    given = {key: _joined(value) for key, value in query.items() if value is not None}
    # AWS does not read + as a space in a query.
    return f"{path}?{urlencode(given, quote_via=quote)}" if given else path


def _joined(value: object) -> object:
    """Joins several states into one parameter, because some gateways do not pass on repeated parameters."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, Sequence) and not isinstance(value, str) else value


class Transport:
    """Sends calls to one API, without interpreting them."""

    def __init__(self, session: boto3.Session, api_url: str) -> None:
        self._api_url = api_url
        self._http = requests.Session()
        self._http.auth = ExecuteApiAuth(session, api_url)
        self._http.mount(api_url, HTTPAdapter(max_retries=_RETRY))

    def send(self, method: str, path: str, body: bytes | None, if_lost: str) -> requests.Response:
        """Sends one call and returns the queue's answer, which may be a refusal.

        Raises QueueUnreachable, with `if_lost` as its remedy if the queue may have carried out the call.
        """
        url = self._api_url + path
        try:
            response = self._http.request(method, url, data=body, timeout=_TIMEOUT, allow_redirects=False)
        except requests.RequestException as error:
            was_sent = not (error.args and isinstance(error.args[0], _NoConnection))
            raise self._unreachable(_cause(error), if_lost if was_sent else _NOTHING_SENT) from error
        if response.status_code in _TRANSIENT and not is_from_queue(response):
            raise self._unreachable(f"every try was answered with status {response.status_code}", if_lost)
        return response

    def _unreachable(self, cause: str, if_lost: str) -> QueueUnreachable:
        return QueueUnreachable(f"The queue at {self._api_url} cannot be reached: {cause}.", if_lost)


def _cause(error: requests.RequestException) -> str:
    """Returns the text of the innermost error, because the outer errors only describe the retries."""
    wrapped = error.args[0] if error.args else error
    return str(getattr(wrapped, "reason", wrapped)).rstrip(".")


class ExecuteApiAuth(AuthBase):
    """Signs each request for API Gateway with the session's current credentials."""

    def __init__(self, session: boto3.Session, api_url: str) -> None:
        self._session = session
        self._region = _region(session, api_url)

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        copy = AWSRequest(request.method, request.url, data=request.body, headers={"Content-Type": "application/json"})
        SigV4Auth(self._credentials(), "execute-api", self._region).add_auth(copy)
        request.headers.update(dict(copy.headers.items()))
        return request

    def _credentials(self) -> ReadOnlyCredentials:
        try:
            found = self._session.get_credentials()
            current = None if found is None else found.get_frozen_credentials()  # refreshes them if they have expired
        except (BotoCoreError, ClientError) as error:  # ClientError: STS or SSO refused to refresh them
            cause = str(error).rstrip(".")
            raise CredentialsMissing(f"The AWS credentials cannot be used: {cause}.", SIGN_IN) from error
        if current is None:
            raise CredentialsMissing("No AWS credentials found.", SIGN_IN)
        return current


def _region(session: boto3.Session, api_url: str) -> str:
    # The region of the API, not of the session: API Gateway refuses a signature for another region.
    region = region_of(api_url) or session.region_name
    if not region:
        raise NotConfigured("No AWS region is set, so calls cannot be signed.", "Set AWS_DEFAULT_REGION.")
    return region
