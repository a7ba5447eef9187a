"""Calls the probe function of the test stack through its API."""

import json

import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from local_account import LocalAccount
from local_account.settings import REGION
from local_guard.rule import KEY_HEADER


class Probe:
    def __init__(self, account: LocalAccount) -> None:
        self._key = account.key
        self._url = account.env()["SAGEQUEUE_API_URL"] + "/probe"

    def ask(self, action: str, item: str = "") -> str | int:
        response = self._post(json.dumps({"action": action, "item": item}), signed=True)
        response.raise_for_status()
        answer: str | int = response.json()
        return answer

    def knock_unsigned(self) -> int:
        return self._post("{}", signed=False).status_code

    def _post(self, body: str, *, signed: bool) -> requests.Response:
        request = AWSRequest("POST", self._url, data=body, headers={"Content-Type": "application/json"})
        request.headers[KEY_HEADER] = self._key  # past the guard, an unsigned call reaches the API
        if signed:
            SigV4Auth(Credentials(self._key, self._key), "execute-api", REGION).add_auth(request)
        return requests.post(self._url, data=body, headers=dict(request.headers), timeout=60)
