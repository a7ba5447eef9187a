"""Calls the REST API with plain requests and SigV4, without the client."""

import json
from dataclasses import dataclass
from typing import Any

import boto3
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest

TIMEOUT_SECONDS = 30


@dataclass(frozen=True)
class RestApi:
    session: boto3.Session
    url: str

    def post(self, path: str, body: bytes | dict[str, Any] = b"") -> requests.Response:
        return self._send("POST", path, body if isinstance(body, bytes) else json.dumps(body).encode())

    def get(self, path: str) -> requests.Response:
        return self._send("GET", path, b"")

    def submit(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = self.post("/add-job", request)
        assert answer.status_code == 201, answer.text
        return parsed(answer)

    def job(self, name: str) -> dict[str, Any]:
        answer = self.get(f"/jobs/{name}")
        assert answer.status_code == 200, answer.text
        return parsed(answer)

    def jobs(self) -> list[dict[str, Any]]:
        """Returns all jobs, page by page."""
        page = parsed(self.get("/jobs"))
        jobs: list[dict[str, Any]] = page["jobs"]
        while page["next"]:
            page = parsed(self.get(f"/jobs?next={page['next']}"))
            jobs += page["jobs"]
        return jobs

    def cancel(self, name: str) -> dict[str, Any]:
        answer = self.post(f"/jobs/{name}/cancel")
        assert answer.status_code == 202, answer.text
        return parsed(answer)

    def signature(self, method: str, path: str, body: bytes) -> dict[str, str]:
        """Returns the headers of a call, signed now with the session's credentials."""
        request = AWSRequest(method, self.url + path, data=body, headers={"Content-Type": "application/json"})
        credentials = self.session.get_credentials()
        assert credentials is not None
        SigV4Auth(credentials.get_frozen_credentials(), "execute-api", self.session.region_name).add_auth(request)
        return dict(request.headers)

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> requests.Response:
        return requests.request(method, self.url + path, data=body, headers=headers, timeout=TIMEOUT_SECONDS)

    def _send(self, method: str, path: str, body: bytes) -> requests.Response:
        return self.send(method, path, body, self.signature(method, path, body))


def parsed(answer: requests.Response) -> dict[str, Any]:
    document: dict[str, Any] = answer.json()
    return document
