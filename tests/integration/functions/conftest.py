"""Calls the functions as Lambda does: real handlers and wiring, moto for DynamoDB and S3, a simulated SageMaker."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import boto3
import pytest
from moto import mock_aws
from mypy_boto3_dynamodb import DynamoDBClient
from mypy_boto3_s3 import S3Client
from mypy_boto3_sns import SNSClient

from integration.functions.documented import DOCUMENT, assert_documented
from local_sagemaker.simulation import Simulation
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.adapters.dynamodb.records.items import ledger_key
from scheduler.adapters.dynamodb.writes import update
from scheduler.wiring import shared
from support.account.function_wirings import clear_built
from support.dynamodb.stores import dynamodb_stores

ADA = "arn:aws:sts::000000000000:assumed-role/Scientist/ada"


SWEEP: dict[str, Any] = {"source": "sweep"}
#: Kept through cold starts: reading the services' models again takes longer than most tests' calls.
_KEPT = frozenset({"_session"})


@dataclass(frozen=True)
class Context:
    """The part of Lambda's context that the handlers use."""

    function_name: str = "function"
    memory_limit_in_mb: int = 256
    invoked_function_arn: str = "arn:aws:lambda:eu-west-1:000000000000:function:api"
    aws_request_id: str = "52fdfc07-2182-154f-163f-5f0f9a621d72"

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


@dataclass(frozen=True)
class Clients:
    s3: S3Client
    sns: SNSClient
    dynamodb: DynamoDBClient


@pytest.fixture(scope="session")
def clients() -> Clients:
    """Are made once, for the same reason. Moto answers them in each test."""
    ours = boto3.Session("testing", "testing", region_name="eu-west-1")
    s3 = boto3.Session("testing", "testing", region_name="us-east-1").client("s3")
    return Clients(s3, ours.client("sns"), ours.client("dynamodb"))


@pytest.fixture
def table(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    settings = {
        "TABLE_NAME": "queue",
        "BODY_BUCKET": "bodies",
        "INSTANCE_BUDGET": "ml.m5.large=2,ml.g5.xlarge=2",
        "IDLE_TOPIC": "arn:aws:sns:eu-west-1:000000000000:idle",
        "NOTICE_TOPIC": "arn:aws:sns:eu-west-1:000000000000:notices",
        "MAIL_TOPIC": "arn:aws:sns:eu-west-1:000000000000:mail",
        "GUARD_UNMANAGED_JOBS": "off",
        "NAME_MARK": "sq",
        "WEBHOOK_HOSTS": "hooks.example.org",
        "BUDGET_SCOPE": "queue",
        "METRICS": "all",
        "CALLBACKS": "on",
        "HOSTED_PAGE": "",
        "CALLERS": "root,role/Scientist *SageMaker*",
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_REGION": "us-east-1",  # that of the prices which are known
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "POWERTOOLS_SERVICE_NAME": "sagequeue",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        clients.sns.create_topic(Name="notices")
        dynamodb_stores(clients.dynamodb, "queue", clients.s3)
        clear_built(_KEPT)
        yield "queue"
    clear_built(_KEPT)


@pytest.fixture
def sagemaker(table: str, monkeypatch: pytest.MonkeyPatch) -> Simulation:
    """The functions' SageMaker client leads into a simulation."""
    simulation = Simulation()
    make_client = shared.client

    def client(service: str, **options: Any) -> Any:
        return simulation.client() if service == "sagemaker" else make_client(service, **options)

    monkeypatch.setattr(shared, "client", client)
    # Below SageMaker's rates functions wait on the machine's clock; the simulation has its own.
    monkeypatch.setattr(SystemClock, "sleep", lambda _clock, _seconds: None)
    return simulation


@pytest.fixture
def schedule(sagemaker: Simulation, table: str) -> Callable[[], None]:
    """Sweeps. In an account, the table's stream has reported changes before, which ended the idle time of the queue."""
    from schedule.handler import handle

    def schedule() -> None:
        shared.table().write(update(ledger_key(), "REMOVE idle_until"))
        handle(SWEEP, Context())  # type: ignore[arg-type] # what the handler uses of it

    return schedule


@pytest.fixture
def call(table: str) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Call the REST API: method, path, body."""
    from api.handler import handle

    def call(
        method: str, path: str, body: object = None, *, caller: str = ADA, **query: str
    ) -> tuple[int, dict[str, Any]]:
        text = body if isinstance(body, str) or body is None else json.dumps(body)
        answer = handle(api_event(method, path, text, query, caller), Context())  # type: ignore[arg-type] # what handlers use of it
        status, told = int(answer["statusCode"]), json.loads(answer["body"])
        assert_documented(method, path, status, told)
        return status, told

    return call


def api_event(method: str, path: str, body: str | None, query: dict[str, str], caller: str) -> dict[str, Any]:
    return {
        "resource": _resource(path),
        "path": path,
        "httpMethod": method,
        "headers": {"Content-Type": "application/json"},
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "queryStringParameters": query or None,
        "multiValueQueryStringParameters": {key: [value] for key, value in query.items()} or None,
        "pathParameters": _path_parameters(path),
        "stageVariables": None,
        "requestContext": {"stage": "v1", "identity": {"userArn": caller}, "path": f"/v1{path}", "httpMethod": method},
        "body": body,
        "isBase64Encoded": False,
    }


#: The parts of paths that begin with a parameter.
_PARAMETERS = {"jobs": "name", "arrays": "name", "config": "kind"}


def _resource(path: str) -> str:
    """Returns the path of the route, as API Gateway finds it: a path without parameters goes first."""
    top, *rest = path.removeprefix("/").split("/")
    if path in DOCUMENT["paths"] or not rest or top not in _PARAMETERS:
        return path
    return "/".join(["", top, f"{{{_PARAMETERS[top]}}}", *rest[1:]])


def _path_parameters(path: str) -> dict[str, str] | None:
    is_plain = _resource(path) == path
    return None if is_plain else {_PARAMETERS[path.split("/")[1]]: unquote(path.split("/")[2])}


ROOT = "arn:aws:iam::000000000000:root"


def configure(call: Callable[..., tuple[int, dict[str, Any]]], **sections: Any) -> dict[str, Any]:
    """Applies these sections as an operator of the stack, and returns the answer."""
    status, applied = call("PUT", "/config", sections, caller=ROOT)
    assert status == 200, applied
    return applied


def corrupt(version: int, sections: str = "{") -> None:
    """Makes a version of the configuration one that cannot be read."""
    boto3.client("dynamodb").update_item(
        TableName="queue",
        Key={"pk": {"S": "CONFIG"}, "sk": {"S": f"{version:08d}"}},
        UpdateExpression="SET sections = :text",
        ExpressionAttributeValues={":text": {"S": sections}},
    )
