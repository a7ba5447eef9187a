"""Applies configurations to the deployed queue through the queue's API, as operators do."""

import json
from http import HTTPStatus
from typing import Any

import urllib3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from local_account.errors import AccountError
from local_account.settings import REGION

#: On a developer's machine, preemptions need no wait. The sweep of each minute would be too late for short notices.
DEFAULTS = "policy: {patience: 0s, protected_run_time: 0s, notice: 0s}\n"
_IF_NEVER_CONFIGURED = "?replaces=0"
_TIMEOUT_SECONDS = 300.0  # the first call of a function starts a process, on a busy machine slowly


def apply_defaults(api_url: str, key: str) -> None:
    """Applies the defaults of a local account if the queue has no configuration yet. Raises AccountError."""
    answer = _put(f"{api_url}/config{_IF_NEVER_CONFIGURED}", key, DEFAULTS)
    if answer.status != HTTPStatus.CONFLICT:
        _require_success(answer)


def apply_configuration(api_url: str, key: str, text: str) -> None:
    """Applies the text of a configuration file. If the queue refuses it, raises AccountError with all its problems."""
    _require_success(_put(f"{api_url}/config", key, text))


def _put(url: str, key: str, text: str) -> urllib3.BaseHTTPResponse:
    request = AWSRequest("PUT", url, data=text.encode(), headers={"Content-Type": "application/yaml"})
    SigV4Auth(Credentials(key, key), "execute-api", REGION).add_auth(request)
    return urllib3.request("PUT", url, body=text.encode(), headers=dict(request.headers), timeout=_TIMEOUT_SECONDS)


def _require_success(answer: urllib3.BaseHTTPResponse) -> None:
    if answer.status != HTTPStatus.OK:
        raise AccountError(f"the queue refused the configuration: {_message(answer.data)}")


def _message(body: bytes) -> str:
    try:
        refusal: dict[str, Any] = json.loads(body)
    except ValueError:
        return body.decode(errors="replace")
    return ". ".join(filter(None, (refusal.get("message"), refusal.get("remedy"))))
