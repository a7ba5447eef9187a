"""Requests of programs and pages that do not have the key of the account, to both of its servers."""

import hashlib
import http.client
import json
from collections.abc import Mapping
from contextlib import closing
from urllib.parse import urlsplit

import boto3
import pytest
import requests
from botocore.exceptions import ClientError

from integration.local_account.probe import Probe
from local_account import LocalAccount
from local_account.settings import REGION
from local_account.stack import BUCKET
from local_guard.rule import KEY_HEADER

#: Without the guard, each would run code, wipe state or read data.
CALLS = {
    "ListTables": ("POST", "/", {"X-Amz-Target": "DynamoDB_20120810.ListTables"}),
    "ListFunctions": ("GET", "/2015-03-31/functions", {}),
    "objects": ("GET", f"/{BUCKET}", {}),
    "reset": ("POST", "/_ministack/reset", {}),
    "config": ("POST", "/_ministack/config", {}),
    "health": ("GET", "/_ministack/health", {}),
    "other health": ("GET", "/health", {}),
    "issued keys": ("GET", "/_account/issued/test", {}),
    "CreateTrainingJob": ("POST", "/", {"X-Amz-Target": "SageMaker.CreateTrainingJob"}),
    "faults": ("POST", "/_control/calls", {}),
    "capacity": ("PUT", "/_control/capacity", {}),
    "rules": ("DELETE", "/_control/rules", {}),
}
Answer = tuple[int, dict[str, str], str]


def send(url: str, method: str, path: str, headers: Mapping[str, str]) -> Answer:
    """Sends exactly these headers; Host, too, may be given."""
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(url).port, timeout=60)
    with closing(connection):
        connection.request(method, path, body=b"{}" if method in {"POST", "PUT"} else None, headers=dict(headers))
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()


def scope(key: str) -> str:
    return f"AWS4-HMAC-SHA256 Credential={key}/20260101/{REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=0"


@pytest.fixture(params=["ministack", "sagemaker"])
def server(request: pytest.FixtureRequest, account: LocalAccount) -> str:
    ministack, sagemaker = account.settings.endpoint, account.settings.sagemaker_endpoint
    return ministack if request.param == "ministack" else sagemaker


@pytest.mark.parametrize("call", CALLS)
def test_calls_without_the_key_are_refused_and_the_refusal_says_how_to_get_it(server: str, call: str) -> None:
    method, path, headers = CALLS[call]
    for key in ({}, {KEY_HEADER: "wrong"}, *({"Authorization": scope(key)} for key in ("test", "000000000000", ""))):
        status, _, text = send(server, method, path, {**headers, **key})
        assert status == 403
        assert "sagequeue local env" in text


@pytest.mark.parametrize("call", CALLS)
def test_calls_under_a_foreign_name_are_refused_even_with_the_key(
    server: str, call: str, account: LocalAccount
) -> None:
    method, path, headers = CALLS[call]
    for host in ("rebound.example", f"rebound.example:{urlsplit(server).port}", "localhost:1"):
        status, _, _ = send(server, method, path, {**headers, KEY_HEADER: account.key, "Host": host})
        assert status == 421


@pytest.mark.parametrize("call", CALLS)
def test_calls_of_a_web_page_are_refused_even_with_the_key(server: str, call: str, account: LocalAccount) -> None:
    method, path, headers = CALLS[call]
    for origin in ("http://a.example", "null", server):
        status, answered, _ = send(server, method, path, {**headers, KEY_HEADER: account.key, "Origin": origin})
        assert status == 403
        assert not any(name.startswith("access-control-") for name in answered)


def test_a_preflight_is_refused(server: str) -> None:
    asked = {"Origin": "http://a.example", "Access-Control-Request-Method": "POST"}
    status, answered, _ = send(server, "OPTIONS", "/", asked)
    assert status in {403, 501}
    assert not any(name.startswith("access-control-") for name in answered)


def test_no_answer_allows_another_origin(account: LocalAccount) -> None:
    status, answered, _ = send(account.settings.endpoint, "OPTIONS", "/", {KEY_HEADER: account.key})
    assert status == 200
    assert not any(name.startswith("access-control-") for name in answered)


def test_sdks_understand_the_refusal(account: LocalAccount) -> None:
    stranger = boto3.Session(aws_access_key_id="test", aws_secret_access_key="test", region_name=REGION)
    aws, sagemaker = account.settings.endpoint, account.settings.sagemaker_endpoint
    refused = "InvalidClientTokenId.*sagequeue local env"
    with pytest.raises(ClientError, match=refused):
        stranger.client("dynamodb", endpoint_url=aws).list_tables()
    with pytest.raises(ClientError, match=refused):
        stranger.client("sts", endpoint_url=aws).get_caller_identity()
    with pytest.raises(ClientError, match=refused):
        stranger.client("s3", endpoint_url=aws).list_objects_v2(Bucket=BUCKET)
    with pytest.raises(ClientError, match=refused):
        stranger.client("sagemaker", endpoint_url=sagemaker).list_training_jobs()


def test_a_presigned_address_works_while_its_key_is_the_accounts(account: LocalAccount) -> None:
    s3 = account.session().client("s3", endpoint_url=account.settings.endpoint)
    s3.put_object(Bucket=BUCKET, Key="model.tar.gz", Body=b"model")
    address = s3.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "model.tar.gz"})
    assert requests.get(address, timeout=60).content == b"model"
    assert requests.get(address.replace(account.key, "test"), timeout=60).status_code == 403


def test_a_role_uses_its_session_on_both_servers_but_not_for_administration(account: LocalAccount) -> None:
    aws, sagemaker = account.settings.endpoint, account.settings.sagemaker_endpoint
    iam = account.session().client("iam", endpoint_url=aws)
    trust = {"Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}]}
    role = iam.create_role(RoleName="visitor", AssumeRolePolicyDocument=json.dumps(trust))["Role"]["Arn"]
    sts = account.session().client("sts", endpoint_url=aws)
    issued = sts.assume_role(RoleArn=role, RoleSessionName="visit")["Credentials"]
    session = boto3.Session(issued["AccessKeyId"], issued["SecretAccessKey"], issued["SessionToken"], REGION)

    assert session.client("sts", endpoint_url=aws).get_caller_identity()["Arn"].endswith("assumed-role/visitor/visit")
    assert session.client("sagemaker", endpoint_url=sagemaker).list_training_jobs()["TrainingJobSummaries"] is not None
    for server, path in ((aws, "/_ministack/reset"), (sagemaker, "/_control/calls")):
        assert send(server, "POST", path, {"Authorization": scope(issued["AccessKeyId"])})[0] == 403


def test_the_credentials_of_a_function_cannot_be_derived_from_names(account: LocalAccount, probe: Probe) -> None:
    """ministack derives them from the two ARNs: who knew those could act as the function."""
    probe.ask("version")  # it has credentials now
    functions = account.session().client("lambda", endpoint_url=account.settings.endpoint).list_functions()["Functions"]
    assert functions
    for function in functions:
        digest = hashlib.sha256(f"{function['FunctionArn']}:{function['Role']}".encode()).hexdigest()
        derived = {"Authorization": scope(f"ASIA{digest[:16].upper()}")}
        assert send(account.settings.endpoint, "GET", "/2015-03-31/functions", derived)[0] == 403


def test_the_servers_listen_on_their_ports_of_this_machine_only(account: LocalAccount) -> None:
    listening = {
        name: {tuple(socket.laddr) for socket in process.net_connections() if socket.status == "LISTEN"}
        for name, process in account.running().items()
    }
    assert listening == {
        "ministack": {("127.0.0.1", account.settings.port)},
        "sagemaker": {("127.0.0.1", account.settings.sagemaker_port)},
    }


def test_no_other_user_can_read_the_key_or_the_data(account: LocalAccount) -> None:
    assert account.paths.record.stat().st_mode & 0o777 == 0o600
    for folder in (account.paths.ministack, account.paths.sagemaker, account.paths.logs, account.paths.scratch):
        assert folder.stat().st_mode & 0o777 == 0o700
    commands = [word for process in account.running().values() for word in process.cmdline()]
    assert not [word for word in commands if account.key in word]
