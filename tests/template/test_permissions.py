"""Least privilege: the actions and resources of each function."""

import re
from typing import Any

import pytest

from scheduler.adapters.dynamodb.callbacks import CALLBACKS
from scheduler.adapters.dynamodb.changes import CHANGES
from scheduler.adapters.dynamodb.records.job_records import IDLE_CHECK, JOB_PREFIX, LIVE_PARTITION
from scheduler.adapters.dynamodb.unmanaged_jobs import UNMANAGED
from scheduler.core.history.callbacks.callback import BUS_PREFIX
from support.stack.expanded_template import TEMPLATE, Stack, as_list, walk

OUR_TRAINING_JOBS = {
    "Fn::Sub": "arn:${AWS::Partition}:sagemaker:${AWS::Region}:${AWS::AccountId}:training-job/*-${NameMark}-*"
}
ALL_TRAINING_JOBS = {"Fn::Sub": "arn:${AWS::Partition}:sagemaker:${AWS::Region}:${AWS::AccountId}:training-job/*"}
#: Statements about tuning jobs.
TUNING_JOBS = {"CreateTuningJobs", "StopTheQueuesTuningJobs", "TagNewTuningJobs"}
#: Statements about processing jobs.
PROCESSING_JOBS = {"CreateProcessingJobs", "StopTheQueuesProcessingJobs", "TagNewProcessingJobs"}
UNMANAGED_JOBS = ("SeeUnmanagedJobs", "StopUnmanagedJobs", "CountUnmanagedProcessingJobs")
#: Statements about AutoML jobs, all of which bypass the queue.
AUTOML_JOBS = {"SeeAutoMLJobs", "StopAutoMLJobs"}
LEADING = "dynamodb:LeadingKeys"
WRITES = {f"dynamodb:{action}Item" for action in ("ConditionCheck", "Delete", "Put", "Update")}
SERVICES = {
    "ApiFunction": {"cognito-idp", "dynamodb", "s3"},
    "CallbacksFunction": {"dynamodb", "events", "sagemaker", "sqs", "states"},
    "HistoryFunction": {"dynamodb", "events", "kms", "sns", "sqs"},
    "IdleAlarmFunction": {"cloudwatch", "dynamodb", "logs", "sns", "sqs"},
    "ScheduleFunction": {"cloudwatch", "dynamodb", "iam", "kms", "logs", "s3", "sagemaker", "sns", "sqs"},
    "TrainingEventsFunction": {"dynamodb", "s3", "sqs"},
    "WebhooksFunction": {"kms", "secretsmanager", "sqs"},
}


@pytest.mark.parametrize("function", SERVICES)
def test_a_function_may_use_only_its_services(stack: Stack, function: str) -> None:
    assert {action.split(":")[0] for action in stack.actions_of(function)} == SERVICES[function]


@pytest.mark.parametrize("function", SERVICES)
def test_every_permission_names_single_actions(stack: Stack, function: str) -> None:
    assert not [action for action in stack.actions_of(function) if "*" in action]


@pytest.mark.parametrize("function", SERVICES)
def test_no_function_has_a_managed_policy_beyond_writing_its_log(stack: Stack, function: str) -> None:
    names = [arn.rpartition("/")[2] for arn in stack.role_of(function)["ManagedPolicyArns"]]
    assert names == ["AWSLambdaBasicExecutionRole"]


def test_training_events_may_write_observations_and_nothing_else(stack: Stack) -> None:
    assert stack.actions_of("TrainingEventsFunction") == {"dynamodb:UpdateItem", "s3:GetObject", "sqs:SendMessage"}
    (reading,) = (s for s in stack.statements_of("TrainingEventsFunction") if s["Action"] == "s3:GetObject")
    assert reading["Resource"] == {"Fn::Sub": "${Bodies.Arn}/acks/*"}
    writing = [s for s in stack.statements_of("TrainingEventsFunction") if s["Action"] == "dynamodb:UpdateItem"]
    asked = [statement["Condition"]["ForAllValues:StringEquals"] for statement in writing]
    assert [one["dynamodb:LeadingKeys"] for one in asked] == [LIVE_PARTITION, UNMANAGED]
    assert not {"demand", "job_name"} & {name for one in asked for name in one["dynamodb:Attributes"]}


def test_idle_alarms_change_what_a_check_finds_and_nothing_else(stack: Stack) -> None:
    assert not {"dynamodb:PutItem", "dynamodb:DeleteItem"} & stack.actions_of("IdleAlarmFunction")
    (writing,) = (s for s in stack.statements_of("IdleAlarmFunction") if "dynamodb:UpdateItem" in as_list(s["Action"]))
    asked = writing["Condition"]
    assert asked["ForAllValues:StringLike"] == {LEADING: f"{JOB_PREFIX}*"}
    (attributes,) = asked["ForAllValues:StringEquals"].values()
    assert {*attributes} == {"pk", "sk", "version", "changed_by", *IDLE_CHECK}


def test_the_history_is_added_to_and_nothing_else_is_written(stack: Stack) -> None:
    (writing,) = (s for s in stack.statements_of("HistoryFunction") if "dynamodb:PutItem" in as_list(s["Action"]))
    assert writing["Condition"] == {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": CHANGES}}
    assert as_list(writing["Action"]) == ["dynamodb:PutItem"]


@pytest.mark.parametrize("function", SERVICES)
def test_every_write_to_the_table_names_its_partitions(stack: Stack, function: str) -> None:
    writing = [s for s in stack.statements_of(function) if WRITES & {*as_list(s["Action"])}]
    for statement in writing:
        (partitions,) = (asked[LEADING] for asked in statement["Condition"].values() if LEADING in asked)
        assert "*" not in as_list(partitions)
        assert CHANGES not in as_list(partitions) or function == "HistoryFunction"


def test_only_the_cycle_may_delete_records_except_delivered_callbacks(stack: Stack) -> None:
    deleting = [name for name in SERVICES if "dynamodb:DeleteItem" in stack.actions_of(name)]
    assert deleting == ["CallbacksFunction", "ScheduleFunction"]
    (closing,) = (s for s in stack.statements_of("CallbacksFunction") if "dynamodb:DeleteItem" in as_list(s["Action"]))
    assert closing["Condition"] == {"ForAllValues:StringEquals": {LEADING: CALLBACKS}}


def test_callbacks_reach_executions_of_pipelines_and_the_buses_of_the_pattern(stack: Stack) -> None:
    statements = {
        statement["Sid"]: statement for statement in stack.statements_of("CallbacksFunction") if "Sid" in statement
    }
    assert statements["ReportToPipelines"]["Resource"]["Fn::Sub"].endswith(":pipeline/*/execution/*")
    assert statements["ReportToBuses"]["Resource"]["Fn::Sub"].endswith(f":event-bus/{BUS_PREFIX}*")
    assert stack.expanded["Resources"]["CallbacksFunction"]["Condition"] == "SendsCallbacks"


def test_the_function_for_pipelines_may_make_exactly_its_calls_of_the_api(pipelines: Stack) -> None:
    (calls,) = (s for s in pipelines.statements_of("SubmitFunction") if s["Action"] == "execute-api:Invoke")
    paths = {resource["Fn::Sub"].partition("${ApiId}/*/")[2] for resource in calls["Resource"]}
    assert paths == {"POST/jobs", "POST/jobs/*/cancel"}


def test_sagemaker_is_reached_for_training_jobs_with_our_mark_only(stack: Stack) -> None:
    resources = {
        action: statement["Resource"]
        for statement in stack.statements_of("ScheduleFunction")
        for action in as_list(statement["Action"])
        if action.startswith("sagemaker:")
        and statement.get("Sid")
        not in {"UseTrainingPlans", *UNMANAGED_JOBS, *AUTOML_JOBS | TUNING_JOBS | PROCESSING_JOBS}
    }
    for action in ("sagemaker:ListProcessingJobs", "sagemaker:ListTrainingJobs"):
        assert resources.pop(action) == "*"  # the actions know no resources
    seen = resources.pop("sagemaker:DescribeTrainingJob")["Fn::If"]
    assert seen == ["CountsTheAccount", ALL_TRAINING_JOBS, OUR_TRAINING_JOBS]
    assert {"sagemaker:StopTrainingJob", "sagemaker:UpdateTrainingJob"} <= resources.keys()
    assert all(resource == OUR_TRAINING_JOBS for resource in resources.values())


@pytest.mark.parametrize(
    ("sids", "resource", "stop"),
    [
        (TUNING_JOBS, "hyper-parameter-tuning-job", "StopHyperParameterTuningJob"),
        (PROCESSING_JOBS, "processing-job", "StopProcessingJob"),
    ],
)
def test_sagemaker_is_reached_for_other_kinds_of_jobs_with_our_mark_only(
    stack: Stack, sids: set[str], resource: str, stop: str
) -> None:
    statements = [s for s in stack.statements_of("ScheduleFunction") if s.get("Sid") in sids]
    assert {s["Sid"] for s in statements} == sids
    assert all(s["Resource"]["Fn::Sub"].endswith(f":{resource}/*-${{NameMark}}-*") for s in statements)
    (stopping,) = (s for s in statements if s["Action"] == f"sagemaker:{stop}")
    assert stopping["Condition"] == {"StringLike": {"aws:ResourceTag/sagequeue:attempt": "*"}}


def test_jobs_are_created_on_training_plans_and_nothing_is_done_to_these(stack: Stack) -> None:
    (using,) = (s for s in stack.statements_of("ScheduleFunction") if s.get("Sid") == "UseTrainingPlans")
    assert using["Action"] == "sagemaker:CreateTrainingJob"
    reached = [resource["Fn::Sub"].rpartition(":")[2] for resource in using["Resource"]]
    assert reached == ["training-plan/*", "reserved-capacity/*"]


def test_alarms_are_made_and_deleted_with_our_prefix_only(stack: Stack) -> None:
    making, deleting = (_only_statement(stack, f"cloudwatch:{action}") for action in ("PutMetricAlarm", "DeleteAlarms"))
    assert making["Resource"]["Fn::Sub"].endswith(":alarm:sagequeue-${NameMark}/*")
    assert deleting["Resource"] == making["Resource"]


def test_an_alarm_of_the_stack_can_only_notify_its_topic(stack: Stack) -> None:
    condition = _only_statement(stack, "cloudwatch:PutMetricAlarm")["Condition"]
    assert condition == {"ForAllValues:StringEquals": {"cloudwatch:AlarmActions": {"Ref": "IdleAlarms"}}}


def test_only_logs_of_our_training_jobs_are_read_where_others_are_not_guarded(stack: Stack) -> None:
    reading = [s for f in SERVICES for s in stack.statements_of(f) if "logs:GetLogEvents" in as_list(s["Action"])]
    (of_others,) = (statement for statement in reading if statement["Sid"] == "ReadLogsOfUnmanagedJobs")
    reading.remove(of_others)
    read = {statement["Resource"]["Fn::Sub"].partition(":log-group:")[2] for statement in reading}
    assert read == {"/aws/sagemaker/TrainingJobs:log-stream:*-${NameMark}-*"}


def test_nothing_in_the_template_is_for_the_emulator(stack: Stack) -> None:
    assert not re.search(r"0{12}|ministack|local account", TEMPLATE.read_text())


def test_only_the_cycle_reaches_training_jobs(stack: Stack) -> None:
    reaching = {name: {a for a in stack.actions_of(name) if a.startswith("sagemaker:")} for name in SERVICES}
    assert {action[:31] for action in reaching.pop("CallbacksFunction")} == {"sagemaker:SendPipelineExecution"}
    assert [name for name, actions in reaching.items() if actions] == ["ScheduleFunction"]


def test_tags_are_added_only_while_a_job_is_created(stack: Stack) -> None:
    adding = [s for s in stack.statements_of("ScheduleFunction") if s["Action"] == "sagemaker:AddTags"]
    assert [s["Condition"] for s in adding] == [
        {"StringEquals": {"sagemaker:TaggingAction": create}}
        for create in ("CreateHyperParameterTuningJob", "CreateProcessingJob", "CreateTrainingJob")
    ]


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
    conditional = {
        (condition, action)
        for function in SERVICES
        for condition, statement in stack.conditions_of(function)
        for action in as_list(statement["Action"])
    }
    assert conditional == {
        ("GuardsUnmanagedJobs", "sagemaker:DescribeTrainingJob"),
        ("GuardsUnmanagedJobs", "sagemaker:ListTags"),
        ("CountsTheAccount", "sagemaker:DescribeProcessingJob"),
        ("GuardsUnmanagedJobs", "logs:GetLogEvents"),
        ("StopsUnmanagedJobs", "sagemaker:StopTrainingJob"),
        ("GuardsUnmanagedJobs", "sagemaker:DescribeAutoMLJobV2"),
        ("StopsUnmanagedJobs", "sagemaker:StopAutoMLJob"),
        ("TellsOfChanges", "events:PutEvents"),
        ("SendsWebhooks", "sqs:SendMessage"),
        *(("HasCustomerKey", f"kms:{use}") for use in USES_OF_A_KEY),
        ("HasHostedPage", "cognito-idp:ListUsers"),
    }
    reached = {
        sid: [s for s in stack.statements_of("ScheduleFunction") if s.get("Sid") == sid] for sid in UNMANAGED_JOBS
    }
    of_processing = reached.pop("CountUnmanagedProcessingJobs")[0]["Resource"]
    assert of_processing == {"Fn::Sub": ALL_TRAINING_JOBS["Fn::Sub"].replace("training-job", "processing-job")}
    assert [statement["Resource"] for (statement,) in reached.values()] == [ALL_TRAINING_JOBS] * 2
    of_automl = [
        s["Resource"]["Fn::Sub"] for s in stack.statements_of("ScheduleFunction") if s.get("Sid") in AUTOML_JOBS
    ]
    assert of_automl == [ALL_TRAINING_JOBS["Fn::Sub"].replace("training-job", "automl-job")] * 2


def test_the_key_may_be_used_only_where_there_is_one(stack: Stack) -> None:
    policies = [r for r in stack.expanded["Resources"].values() if r["Type"] == "AWS::IAM::Policy"]
    assert [policy["Condition"] for policy in policies] == ["SendsCallbacksWithKey", "HasCustomerKey"]
    for policy in policies:
        (statement,) = policy["Properties"]["PolicyDocument"]["Statement"]
        assert set(statement["Action"]) == {f"kms:{action}" for action in USES_OF_A_KEY}


@pytest.mark.parametrize("function", SERVICES)
def test_reading_large_bodies_reports_the_missing_ones(stack: Stack, function: str) -> None:
    """Without permission to list, S3 answers AccessDenied for a missing object."""
    read = [s["Resource"] for s in stack.statements_of(function) if "s3:GetObject" in as_list(s["Action"])]
    reads_bodies = {"Fn::Sub": "${Bodies.Arn}/requests/*"} in read
    assert ("s3:ListBucket" in stack.actions_of(function)) == reads_bodies


def test_only_the_scheduler_asks_programs_to_save(stack: Stack) -> None:
    asks = {"Fn::Sub": "${Bodies.Arn}/stops/*"}
    writers = [function for function in SERVICES if asks in [s["Resource"] for s in stack.statements_of(function)]]
    assert writers == ["ScheduleFunction"]
