"""Stacks that operators deploy beside the queue, with the queue's outputs as parameters."""

import json

import boto3
from mypy_boto3_cloudformation import CloudFormationClient

from support.checkout import CHECKOUT


def test_a_dashboard_shows_this_queue(outputs: dict[str, str]) -> None:
    told = {"ScheduleFunction": outputs["ScheduleFunctionName"], "DeadLetters": outputs["DeadLettersName"]}
    _deploy("dashboard", told)
    cloudwatch = boto3.client("cloudwatch")
    (dashboard,) = cloudwatch.list_dashboards()["DashboardEntries"]
    drawn = json.loads(cloudwatch.get_dashboard(DashboardName=dashboard["DashboardName"])["DashboardBody"])
    shown = [line for widget in drawn["widgets"] for line in widget["properties"]["metrics"]]
    assert ["SageQueue", "QueuedJobs", "service", outputs["NameMark"]] in shown
    assert ["AWS/Lambda", "Errors", "FunctionName", outputs["ScheduleFunctionName"]] in shown
    assert ["AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", outputs["DeadLettersName"]] in shown


def test_an_alarm_on_the_longest_wait_notifies_operators(outputs: dict[str, str]) -> None:
    _deploy("oldest_wait_alarm", {"AlertsTopic": outputs["AlertsTopic"], "Seconds": "7200"})
    (alarm,) = boto3.client("cloudwatch").describe_alarms(AlarmNames=["sagequeue-OldestWaitAlarm"])["MetricAlarms"]
    assert (alarm["Threshold"], alarm["AlarmActions"]) == (7200, [outputs["AlertsTopic"]])


def test_alarms_of_the_nested_stack_have_names_that_begin_with_the_queue_s(outputs: dict[str, str]) -> None:
    """The topic accepts no others."""
    alarms = boto3.client("cloudwatch").describe_alarms(AlarmNamePrefix="sagequeue-Observability-")["MetricAlarms"]
    assert len(alarms) == 3
    assert {action for alarm in alarms for action in alarm["AlarmActions"]} == {outputs["AlertsTopic"]}
    assert {alarm["Namespace"] for alarm in alarms} == {"AWS/Lambda", "AWS/SQS", "SageQueue/sagequeue"}


def _deploy(name: str, parameters: dict[str, str]) -> None:
    cloudformation: CloudFormationClient = boto3.client("cloudformation")
    cloudformation.create_stack(
        StackName=f"sagequeue-{name.replace('_', '-')}",
        TemplateBody=(CHECKOUT / "stacks" / f"{name}.yaml").read_text(),
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
    )
    waiter = cloudformation.get_waiter("stack_create_complete")
    waiter.wait(StackName=f"sagequeue-{name.replace('_', '-')}", WaiterConfig={"Delay": 1})
