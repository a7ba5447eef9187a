import json
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from integration.local_sagemaker.endpoint import REGION
from local_sagemaker.server.event_delivery import EventBus

FUNCTION = f"arn:aws:lambda:{REGION}:000000000000:function:training-events"
QUEUE = f"arn:aws:sqs:{REGION}:000000000000:other-target"
EVENT = {
    "version": "0",
    "id": "1",
    "detail-type": "SageMaker Training Job State Change",
    "source": "aws.sagemaker",
    "account": "000000000000",
    "time": "2026-01-01T00:00:00Z",
    "region": REGION,
    "resources": [],
    "detail": {"TrainingJobName": "resnet-sq-1", "TrainingJobStatus": "Completed"},
}
OURS = {"source": ["aws.sagemaker"], "detail-type": ["SageMaker Training Job State Change"]}


class Account:
    """The default bus of moto, with the pattern matching and functions that moto lacks."""

    def __init__(self) -> None:
        self.bus = boto3.client("events", region_name=REGION)
        functions = boto3.client("lambda", region_name=REGION)
        self.bus.meta.events.register("before-call.events.TestEventPattern", _match)  # type: ignore[arg-type] # stubs
        functions.meta.events.register("before-call.lambda.Invoke", self._invoke)  # type: ignore[arg-type] # same
        self.invocations: SimpleQueue[tuple[str, dict[str, Any]]] = SimpleQueue()
        self.rules = EventBus(self.bus, functions)

    def add_rule(self, name: str, pattern: dict[str, Any], target: str, state: str = "ENABLED") -> None:
        self.bus.put_rule(Name=name, EventPattern=json.dumps(pattern), State=state)  # type: ignore[arg-type] # a literal
        self.bus.put_targets(Rule=name, Targets=[{"Id": "1", "Arn": target}])

    def transform(self, rule: str, transformer: dict[str, Any]) -> None:
        targets: Any = [{"Id": "1", "Arn": FUNCTION, "InputTransformer": transformer}]
        self.bus.put_targets(Rule=rule, Targets=targets)

    def _invoke(self, params: dict[str, Any], **_: object) -> tuple[Any, dict[str, Any]]:
        self.invocations.put((params["headers"]["X-Amz-Invocation-Type"], json.loads(params["body"])))
        return SimpleNamespace(status_code=202), {}


def _match(params: dict[str, Any], **_: object) -> tuple[Any, dict[str, Any]]:
    """Matches the patterns of these tests only."""
    question = json.loads(params["body"])
    source = json.loads(question["Event"])["source"]
    return SimpleNamespace(status_code=200), {"Result": source in json.loads(question["EventPattern"])["source"]}


@pytest.fixture
def account(aws: None) -> Account:
    return Account()


def test_a_matching_rule_invokes_its_function_with_the_event(account: Account) -> None:
    account.add_rule("ours", OURS, FUNCTION)
    account.rules.deliver(EVENT)
    assert account.invocations.get_nowait() == ("Event", EVENT)


def test_rules_that_do_not_match_invoke_nothing(account: Account) -> None:
    account.add_rule("other", {"source": ["aws.s3"]}, FUNCTION)
    account.add_rule("off", OURS, FUNCTION, state="DISABLED")
    account.add_rule("no function", OURS, QUEUE)
    account.bus.put_rule(Name="timer", ScheduleExpression="rate(1 minute)")
    account.rules.deliver(EVENT)
    assert account.invocations.empty()


def test_a_target_with_a_template_gets_only_its_text(account: Account) -> None:
    account.add_rule("names", OURS, FUNCTION)
    transformer = {
        "InputPathsMap": {"id": "$.id", "name": "$.detail.TrainingJobName"},
        "InputTemplate": '{"id": <id>, "unmanaged_job": <name>}',
    }
    account.transform("names", transformer)
    account.rules.deliver(EVENT)
    assert account.invocations.get_nowait() == ("Event", {"id": "1", "unmanaged_job": "resnet-sq-1"})
