"""Lets Schemathesis sign calls, and submit jobs that are accepted.

Runs in its own environment, without the packages of this project.
"""

import json
import os
import re
from pathlib import Path
from typing import Any, TypeGuard
from zlib import crc32

import schemathesis
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.session import Session
from requests import PreparedRequest
from requests.auth import AuthBase

EXAMPLE = json.loads((Path(__file__).parents[2] / "examples" / "request.json").read_text())
NAME = re.compile("[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
EVERYBODY = {
    "name": "everybody",
    "principals": ["*"],
    "verbs": ["submit", "control_own"],
    "execution_roles": ["*"],
}
KEY_HEADER = "X-Local-Account-Key"  # past the guard of the local account, to the API
JOBS = 24  # the test submits the first half; few, so that calls meet jobs that were held, cancelled or requeued


class Signed(AuthBase):
    def __init__(self) -> None:
        credentials = Session().get_credentials()
        assert credentials is not None
        self._signer = SigV4Auth(credentials, "execute-api", os.environ["AWS_DEFAULT_REGION"])

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        copy = AWSRequest(request.method, request.url, data=request.body)
        self._signer.add_auth(copy)
        request.headers.update(dict(copy.headers.items()))
        return request


schemathesis.auth.set_from_requests(Signed())


@schemathesis.hook  # type: ignore[untyped-decorator] # not installed where types are checked
def before_call(context: schemathesis.HookContext, case: Any, kwargs: dict[str, Any]) -> None:
    """Uses few names and valid requests: with random ones every submission would be refused."""
    case.headers[KEY_HEADER] = os.environ["AWS_ACCESS_KEY_ID"]  # for calls without a signature, which the API refuses
    if _is_name(case.path_parameters.get("name")):
        case.path_parameters["name"] = _one_of_few(case.path_parameters["name"])
    if case.path_parameters.get("kind") == "callers" and isinstance(case.body, list):  # keeps the right to submit
        case.body = [EVERYBODY]
    if not isinstance(case.body, dict):
        return
    if case.path.startswith("/config") and isinstance(case.body.get("callers"), list):
        case.body = case.body | {"callers": [EVERYBODY]}
    elif case.path == "/add-job":
        case.body = _often_runnable(case.body)
    elif isinstance(case.body.get("request"), dict):
        case.body = case.body | {"request": _often_runnable(case.body["request"])}


def _often_runnable(request: dict[str, Any]) -> dict[str, Any]:
    """Replaces valid requests only: an invalid one must still be refused."""
    name = request.get("TrainingJobName")
    if not _is_name(name) or not _fits(request) or crc32(name.encode()) % 3 == 0:
        return request
    return {**EXAMPLE, "TrainingJobName": _one_of_few(name)}


def _fits(request: dict[str, Any]) -> bool:
    return all(type(request.get(member)) is type(EXAMPLE[member]) for member in EXAMPLE if member != "Tags")


def _is_name(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(NAME.fullmatch(value))


def _one_of_few(name: str) -> str:
    return f"fuzz-{crc32(name.encode()) % JOBS}"
