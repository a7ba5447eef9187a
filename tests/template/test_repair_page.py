"""The program of docs/admin/repair.md that stops all writers of the table, run on the template's resources."""

import re
from collections.abc import Iterable
from typing import Any
from unittest.mock import MagicMock

import boto3
import pytest

from support.checkout import CHECKOUT
from support.stack.expanded_template import Stack

_PAGE = (CHECKOUT / "docs/admin/repair.md").read_text()
(PROGRAM,) = re.findall(r"^```python\n(import boto3\n\nstack, on = .*?)^```", _PAGE, re.MULTILINE | re.DOTALL)
WRITES = {"dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"}
BY_DEPLOYMENTS = {"ConfigurationFunction"}  # no event calls it, only CloudFormation
STREAM = {"Fn::GetAtt": ["Queue", "StreamArn"]}


class Aws(dict[str, MagicMock]):
    """Stubs of the services that the program calls. Each resource's physical name is its logical name."""

    def __init__(self, resources: Iterable[str]) -> None:
        super().__init__({name: MagicMock() for name in ("cloudformation", "lambda", "scheduler")})
        listed = [{"LogicalResourceId": name, "PhysicalResourceId": name} for name in resources]
        pages = self["cloudformation"].get_paginator.return_value.paginate
        pages.return_value = [{"StackResourceSummaries": listed}]
        answered = ("Arn", "CreationDate", "LastModificationDate", "ResponseMetadata")
        self["scheduler"].get_schedule.side_effect = lambda **of: dict.fromkeys(answered, "") | of

    def given(self, service: str, call: str, argument: str) -> set[str]:
        return {one.kwargs[argument] for one in getattr(self[service], call).call_args_list}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(resources: Iterable[str]) -> Aws:
        aws = Aws(resources)
        monkeypatch.setattr(boto3, "client", aws.__getitem__)
        exec(PROGRAM, {})  # noqa: S102  # our own page
        return aws

    return run


def test_no_schedule_no_stream_and_no_event_calls_a_function_that_writes_to_the_table(stack: Stack, run: Any) -> None:
    aws = run(stack.expanded["Resources"])
    assert aws.given("scheduler", "update_schedule", "Name") == set(stack.of_type("AWS::Scheduler::Schedule"))
    assert aws.given("scheduler", "update_schedule", "State") == {"DISABLED"}
    sources = stack.of_type("AWS::Lambda::EventSourceMapping").items()
    readers = {name: source["FunctionName"]["Ref"] for name, source in sources if source["EventSourceArn"] == STREAM}
    assert aws.given("lambda", "update_event_source_mapping", "UUID") == set(readers)
    writers = {function for function in stack.functions if stack.actions_of(function) & WRITES}
    stopped = aws.given("lambda", "put_function_concurrency", "FunctionName")
    assert writers == stopped | set(readers.values()) | BY_DEPLOYMENTS


def test_the_program_runs_in_a_stack_without_callbacks(stack: Stack, run: Any) -> None:
    resources = stack.where(SendsCallbacks=False).expanded["Resources"]
    assert "CallbacksFunction" not in resources
    aws = run(resources)
    assert aws.given("scheduler", "update_schedule", "Name") == {"ScheduleFunctionSweep"}


def test_people_on_call_may_pass_the_role_of_each_schedule(stack: Stack) -> None:
    page = (CHECKOUT / "docs/admin/iam.md").read_text()
    named = re.findall(r"role/sagequeue-(\w+)-\*", page.partition('"KeepTheirRoles"')[2].partition('"Sid"')[0])
    schedules = stack.of_type("AWS::Scheduler::Schedule").values()
    assert set(named) == {schedule["Target"]["RoleArn"]["Fn::GetAtt"][0] for schedule in schedules}
