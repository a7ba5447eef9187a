"""Asks the local account which access keys belong to its roles and users. Functions call SageMaker with such keys."""

from http import HTTPStatus
from urllib.parse import quote

import urllib3

from local_guard.asgi import ISSUED
from local_guard.rule import KEY_HEADER

_TIMEOUT_SECONDS = 10.0


class IssuedKeys:
    """Remembers issued keys. If the account does not answer, or another emulator runs, a key counts as not issued."""

    def __init__(self, endpoint_url: str, key: str) -> None:
        self._address = endpoint_url.rstrip("/") + ISSUED
        self._headers = {KEY_HEADER: key}
        self._known: set[str] = set()

    def __call__(self, access_key_id: str) -> bool:
        if access_key_id not in self._known and self._ask(access_key_id):
            self._known.add(access_key_id)
        return access_key_id in self._known

    def _ask(self, access_key_id: str) -> bool:
        address = self._address + quote(access_key_id, safe="")
        try:
            answer = urllib3.request("GET", address, headers=self._headers, timeout=_TIMEOUT_SECONDS, retries=False)
        except urllib3.exceptions.HTTPError:
            return False
        return answer.status == HTTPStatus.OK
