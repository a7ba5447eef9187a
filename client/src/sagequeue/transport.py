"""HTTP for the queue's API: each call is signed, repeated while that may help, and bounded in time."""

import boto3
import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry

from sagequeue.errors import QueueUnreachable
from sagequeue.signing import ExecuteApiAuth

_TIMEOUT = (5, 35)  # seconds to connect, and to answer: API Gateway itself gives up after 29
_PASSING = frozenset({429, 500, 502, 503, 504})
# Every call may be sent twice without harm: a name with the same body is the same job, and a cancel stays a cancel.
_RETRY = Retry(
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
        """Raises QueueUnreachable with the remedy `if_lost`: a call that got no answer may have been carried out."""
        url = self._api_url + path
        try:
            response = self._http.request(method, url, data=body, timeout=_TIMEOUT, allow_redirects=False)
        except requests.RequestException as error:
            raise self._unreachable(_cause(error), if_lost) from error
        if response.status_code in _PASSING:
            raise self._unreachable(f"it keeps answering with status {response.status_code}", if_lost)
        return response

    def _unreachable(self, cause: str, if_lost: str) -> QueueUnreachable:
        return QueueUnreachable(f"The queue at {self._api_url} cannot be reached: {cause}.", if_lost)


def _cause(error: requests.RequestException) -> str:
    """The words of the innermost error: the outer ones only tell of retries."""
    wrapped = error.args[0] if error.args else error
    return str(getattr(wrapped, "reason", wrapped)).rstrip(".")
