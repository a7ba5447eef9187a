"""Least privilege: the actions and resources of each function."""

import json
from typing import Any

import pytest
from cfnlint.api import lint

from scheduler.adapters.dynamodb.changes import CHANGES
from scheduler.adapters.dynamodb.records.job_records import JOB_PREFIX, LIVE
from scheduler.adapters.dynamodb.unmanaged_jobs import UNMANAGED
from support.stack.expanded_template import TEMPLATE, Stack, as_list, walk

OUR_TRAINING_JOBS = {
    "Fn::Sub": "arn:${AWS::Partition}:sagemaker:${AWS::Region}:${AWS::AccountId}:training-job/*-${NameMark}-*"
}
ALL_TRAINING_JOBS = {"Fn::Sub": "arn:${AWS::Partition}:sagemaker:${AWS::Region}:${AWS::AccountId}:training-job/*"}
SERVICES = {
    "ApiFunction": {"dynamodb", "s3"},
    "HistoryFunction": {"dynamodb", "sqs"},
    "IdleAlarmFunction": {"cloudwatch", "dynamodb", "sns", "sqs"},
    "ScheduleFunction": {"cloudwatch", "dynamodb", "iam", "logs", "s3", "sagemaker", "sns", "sqs"},
    "TrainingEventsFunction": {"dynamodb", "sqs"},
}


@pytest.mark.parametrize("function", SERVICES)
def test_a_function_may_use_only_its_services(stack: Stack, function: str) -> None:
    assert {action.split(":")[0] for action in stack.actions_of(function)} == SERVICES[function]


@pytest.mark.parametrize("function", SERVICES)
def test_every_permission_names_single_actions(stack: Stack, function: str) -> None:
    assert not [action for action in stack.actions_of(function) if "*" in action]


def test_the_linter_knows_every_action_that_is_granted(stack: Stack) -> None:
    """In the roles that SAM makes: the linter passes over the policies of functions."""
    granted = json.dumps(stack.expanded)
    assert [str(match) for match in lint(granted, regions=["us-east-1"])] == []
    (match,) = lint(granted.replace('"cloudwatch:PutMetricAlarm"', '"cloudwatch:PutMetrcAlarm"'), regions=["us-east-1"])
    assert match.rule.id == "W3037"


@pytest.mark.parametrize("function", SERVICES)
def test_no_function_has_a_managed_policy_beyond_writing_its_log(stack: Stack, function: str) -> None:
    names = [arn.rpartition("/")[2] for arn in stack.role_of(function)["ManagedPolicyArns"]]
    assert names == ["AWSLambdaBasicExecutionRole"]


def test_training_events_may_write_observations_and_nothing_else(stack: Stack) -> None:
    assert stack.actions_of("TrainingEventsFunction") == {"dynamodb:UpdateItem", "sqs:SendMessage"}
    (writing,) = (
        s for s in stack.statements_of("TrainingEventsFunction") if "dynamodb:UpdateItem" in as_list(s["Action"])
    )
    assert writing["Condition"] == {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": [UNMANAGED, LIVE]}}


def test_idle_alarms_write_requests_about_jobs_and_nothing_else(stack: Stack) -> None:
    (writing,) = (s for s in stack.statements_of("IdleAlarmFunction") if "dynamodb:PutItem" in as_list(s["Action"]))
    assert writing["Condition"] == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": f"{JOB_PREFIX}*"}}


def test_the_history_is_added_to_and_nothing_else_is_written(stack: Stack) -> None:
    (writing,) = (s for s in stack.statements_of("HistoryFunction") if "dynamodb:PutItem" in as_list(s["Action"]))
    assert writing["Condition"] == {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": CHANGES}}
    assert as_list(writing["Action"]) == ["dynamodb:PutItem"]


@pytest.mark.parametrize("function", ["ApiFunction", "ScheduleFunction"])
def test_writers_of_other_records_are_denied_the_history(stack: Stack, function: str) -> None:
    (denied,) = (s for s in stack.statements_of(function) if s["Effect"] == "Deny")
    writes = {f"dynamodb:{kind}Item" for kind in ("Delete", "Put", "Update")}
    assert {*as_list(denied["Action"])} == writes & stack.actions_of(function)
    assert denied["Condition"] == {"ForAnyValue:StringEquals": {"dynamodb:LeadingKeys": CHANGES}}


def test_only_the_cycle_may_delete_records(stack: Stack) -> None:
    assert [name for name in SERVICES if "dynamodb:DeleteItem" in stack.actions_of(name)] == ["ScheduleFunction"]


def test_sagemaker_is_reached_for_training_jobs_with_our_mark_only(stack: Stack) -> None:
    resources = {
        action: statement["Resource"]
        for statement in stack.statements_of("ScheduleFunction")
        for action in as_list(statement["Action"])
        if action.startswith("sagemaker:") and statement.get("Sid") != "UseTrainingPlans"
    }
    assert resources.pop("sagemaker:ListTrainingJobs") == "*"  # the action knows no resources
    seen = resources.pop("sagemaker:DescribeTrainingJob")["Fn::If"]
    assert seen == ["CountsTheAccount", ALL_TRAINING_JOBS, OUR_TRAINING_JOBS]
    assert {"sagemaker:StopTrainingJob", "sagemaker:UpdateTrainingJob"} <= resources.keys()
    assert all(resource == OUR_TRAINING_JOBS for resource in resources.values())


def test_jobs_are_created_on_training_plans_and_nothing_is_done_to_these(stack: Stack) -> None:
    (using,) = (s for s in stack.statements_of("ScheduleFunction") if s.get("Sid") == "UseTrainingPlans")
    assert using["Action"] == "sagemaker:CreateTrainingJob"
    reached = [resource["Fn::Sub"].rpartition(":")[2] for resource in using["Resource"]]
    assert reached == ["training-plan/*", "reserved-capacity/*"]


def test_alarms_are_made_and_deleted_with_our_prefix_only(stack: Stack) -> None:
    making = _only_statement(stack, "cloudwatch:PutMetricAlarm")
    assert making["Resource"]["Fn::Sub"].endswith(":alarm:sagequeue-${NameMark}/*")
    deleting = [
        s for f in SERVICES for s in stack.statements_of(f) if "cloudwatch:DeleteAlarms" in as_list(s["Action"])
    ]
    assert [s for s in deleting if s["Resource"] != making["Resource"]] == [s for s in deleting if _is_local_only(s)]


def test_an_alarm_of_the_stack_can_only_notify_its_topic(stack: Stack) -> None:
    condition = _only_statement(stack, "cloudwatch:PutMetricAlarm")["Condition"]
    assert condition == {"ForAllValues:StringEquals": {"cloudwatch:AlarmActions": {"Ref": "IdleAlarms"}}}


def _is_local_only(statement: dict[str, Any]) -> bool:
    return bool(statement.get("Condition") == {"StringEquals": {"aws:PrincipalAccount": "000000000000"}})


def test_only_logs_of_our_training_jobs_are_read(stack: Stack) -> None:
    resources = [resource["Fn::Sub"] for resource in _only_statement(stack, "logs:GetLogEvents")["Resource"]]
    assert [resource.partition(":log-group:")[2] for resource in resources] == [
        "/aws/sagemaker/TrainingJobs:log-stream:*-${NameMark}-*",
        "/aws/sagemaker/TrainingJobs",  # no stream at all, on AWS
    ]


def test_only_the_cycle_reaches_sagemaker(stack: Stack) -> None:
    reaching = [name for name in SERVICES if any(a.startswith("sagemaker:") for a in stack.actions_of(name))]
    assert reaching == ["ScheduleFunction"]


def test_tags_are_added_only_while_a_training_job_is_created(stack: Stack) -> None:
    condition = _only_statement(stack, "sagemaker:AddTags")["Condition"]
    assert condition == {"StringEquals": {"sagemaker:TaggingAction": "CreateTrainingJob"}}


def test_roles_are_passed_to_sagemaker_only_and_only_those_of_the_pattern(stack: Stack) -> None:
    statement = _only_statement(stack, "iam:PassRole")
    assert statement["Condition"] == {"StringEquals": {"iam:PassedToService": "sagemaker.amazonaws.com"}}
    assert statement["Resource"] == {
        "Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/${ExecutionRolePattern}"
    }


def test_every_permission_on_any_resource_says_why_beside_it(stack: Stack) -> None:
    lines = TEMPLATE.read_text().splitlines()
    unexplained = [
        lines[resource.start_mark.line]
        for statement in walk(stack.source)
        for resource in as_list(statement.get("Resource"))
        if resource == "*" and "#" not in lines[resource.start_mark.line]
    ]
    assert unexplained == []


def test_two_stacks_of_one_account_and_region_cannot_have_one_mark(stack: Stack) -> None:
    mark = stack.of_type("AWS::SSM::Parameter")["Mark"]
    assert mark["Name"] == {"Fn::Sub": "/sagequeue/marks/${NameMark}"}
    assert stack.expanded["Resources"]["Settings"]["DependsOn"] == "Mark"  # and the functions on Settings


def test_no_arn_fixes_a_partition_region_or_account(stack: Stack) -> None:
    assert not [text for text in _texts(stack.source) if text.startswith("arn:") and "${AWS::Partition}" not in text]


def _only_statement(stack: Stack, action: str) -> dict[str, Any]:
    (statement,) = (s for f in SERVICES for s in stack.statements_of(f) if action in as_list(s["Action"]))
    return statement


def _texts(value: Any) -> list[str]:
    inner = [text for mapping in walk(value) for entry in mapping.values() for text in as_list(entry)]
    return [text for text in inner if isinstance(text, str)]


USES_OF_A_KEY = ("Decrypt", "DescribeKey", "Encrypt", "GenerateDataKey", "ReEncryptFrom", "ReEncryptTo")


def test_any_training_job_may_be_seen_or_stopped_only_where_the_operator_wants_that(stack: Stack) -> None:
    policies = {
        name: (resource["Condition"], set(as_list(statement["Action"])))
        for name, resource in stack.expanded["Resources"].items()
        if resource["Type"] == "AWS::IAM::Policy"
        for statement in resource["Properties"]["PolicyDocument"]["Statement"]
    }
    assert policies == {
        "SeeUnmanagedJobs": ("GuardsUnmanagedJobs", {"sagemaker:DescribeTrainingJob", "sagemaker:ListTags"}),
        "TellOfChanges": ("TellsOfChanges", {"events:PutEvents"}),
        "StopUnmanagedJobs": ("StopsUnmanagedJobs", {"sagemaker:StopTrainingJob"}),
        "UseTheKey": ("HasCustomerKey", {f"kms:{action}" for action in USES_OF_A_KEY}),
    }


@pytest.mark.parametrize("function", SERVICES)
def test_reading_large_bodies_reports_the_missing_ones(stack: Stack, function: str) -> None:
    """Without permission to list, S3 answers AccessDenied for a missing object."""
    actions = stack.actions_of(function)
    assert ("s3:ListBucket" in actions) == ("s3:GetObject" in actions)
