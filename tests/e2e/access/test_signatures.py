"""A signature is valid for one body, path and time only."""

import json
from datetime import UTC, datetime, timedelta

import boto3
import pytest
import requests

from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi

WHOLE = json.dumps(body("counterfeit")).encode()
INVOKES = {"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": "*"}


@pytest.fixture(scope="module")
def signer(rest_api: RestApi) -> RestApi:
    """A user's: the root user's signatures are not verified here."""
    iam = boto3.client("iam")
    iam.create_user(UserName="signer")
    document = json.dumps({"Version": "2012-10-17", "Statement": [INVOKES]})
    iam.put_user_policy(UserName="signer", PolicyName="invoke", PolicyDocument=document)
    key = iam.create_access_key(UserName="signer")["AccessKey"]
    return RestApi(boto3.Session(key["AccessKeyId"], key["SecretAccessKey"]), rest_api.url)


@pytest.mark.parametrize("days", [-1, 1])
def test_a_signature_of_another_day_is_refused(signer: RestApi, days: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as another:
        another.setattr("botocore.auth.get_current_datetime", lambda: datetime.now(UTC) + timedelta(days=days))
        headers = signer.signature("POST", "/add-job", WHOLE)
    assert_refused(signer, signer.send("POST", "/add-job", WHOLE, headers))


def test_a_body_under_another_signature_is_refused(signer: RestApi) -> None:
    headers = signer.signature("POST", "/add-job", json.dumps(body("another")).encode())
    assert_refused(signer, signer.send("POST", "/add-job", WHOLE, headers))


def test_a_signature_for_another_path_is_refused(signer: RestApi) -> None:
    headers = signer.signature("POST", "/what-if", WHOLE)
    assert_refused(signer, signer.send("POST", "/add-job", WHOLE, headers))


def assert_refused(signer: RestApi, answer: requests.Response) -> None:
    assert answer.status_code == 403, answer.text
    assert signer.get("/jobs/counterfeit").status_code == 404
