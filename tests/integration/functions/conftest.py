"""Calls the functions as Lambda does: real handlers and wiring, moto for DynamoDB and S3, a simulated SageMaker."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import boto3
import pytest
from moto import mock_aws

from integration.functions.documented import assert_documented
from local_sagemaker.simulation import Simulation
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.wiring import shared
from support.account.function_wirings import clear_built
from support.dynamodb.stores import dynamodb_stores

ADA = "arn:aws:sts::000000000000:assumed-role/Scientist/ada"


SWEEP: dict[str, Any] = {"source": "sweep"}


@dataclass(frozen=True)
class Context:
    """What the handlers ask of Lambda's context."""

    function_name: str = "function"
    memory_limit_in_mb: int = 256
    invoked_function_arn: str = "arn:aws:lambda:eu-west-1:000000000000:function:api"
    aws_request_id: str = "52fdfc07-2182-154f-163f-5f0f9a621d72"

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    settings = {
        "TABLE_NAME": "queue",
        "BODY_BUCKET": "bodies",
        "INSTANCE_BUDGET": "ml.m5.large=2,ml.g5.xlarge=2",
        "POLICY": '{"patience": 0, "protected_run_time": 0}',
        "TEAMS": "{}",
        "IDLE_GPUS": '{"action": "stop"}',
        "IDLE_TOPIC": "arn:aws:sns:eu-west-1:000000000000:idle",
        "NOTICE_TOPIC": "arn:aws:sns:eu-west-1:000000000000:notices",
        "NOTIFY_ON": "idle,stopped,failed",
        "GUARD_UNMANAGED_JOBS": "off",
        "NAME_MARK": "sq",
        "BUDGET_SCOPE": "queue",
        "METRICS": "all",
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
        s3 = boto3.client("s3", region_name="us-east-1")
        boto3.client("sns").create_topic(Name="notices")
        dynamodb_stores(boto3.client("dynamodb"), "queue", s3)
        clear_built()
        yield "queue"
    clear_built()


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
def schedule(sagemaker: Simulation) -> Callable[[], None]:
    from schedule.handler import handle

    return lambda: handle(SWEEP, Context())  # type: ignore[arg-type] # what the handler uses of it


@pytest.fixture
def call(table: str) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Call the REST API: method, path, body."""
    from api.handler import handle

    def call(
        method: str, path: str, body: object = None, *, caller: str = ADA, **query: str
    ) -> tuple[int, dict[str, Any]]:
        text = body if isinstance(body, str) or body is None else json.dumps(body)
        answer = handle(_api_event(method, path, text, query, caller), Context())  # type: ignore[arg-type] # what handlers use of it
        status, told = int(answer["statusCode"]), json.loads(answer["body"])
        assert_documented(method, path, status, told)
        return status, told

    return call


def _api_event(method: str, path: str, body: str | None, query: dict[str, str], caller: str) -> dict[str, Any]:
    return {
        "resource": re.sub("^/jobs/[^/]+", "/jobs/{name}", path),
        "path": path,
        "httpMethod": method,
        "headers": {"Content-Type": "application/json"},
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "queryStringParameters": query or None,
        "multiValueQueryStringParameters": {key: [value] for key, value in query.items()} or None,
        "pathParameters": {"name": unquote(path.split("/")[2])} if path.startswith("/jobs/") else None,
        "stageVariables": None,
        "requestContext": {"stage": "v1", "identity": {"userArn": caller}, "path": f"/v1{path}", "httpMethod": method},
        "body": body,
        "isBase64Encoded": False,
    }
