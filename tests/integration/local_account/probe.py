"""Calls the probe function of the test stack through its API."""

import json

import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from local_account import LocalAccount
from local_account.settings import KEY, REGION


class Probe:
    def __init__(self, account: LocalAccount) -> None:
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
        if signed:
            SigV4Auth(Credentials(KEY, KEY), "execute-api", REGION).add_auth(request)
        return requests.post(self._url, data=body, headers=dict(request.headers), timeout=60)
