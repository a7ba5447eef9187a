"""Conventions of the functions and their event sources."""

import json
import re
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.events import unmanaged_job_of
from scheduler.adapters.dynamodb.monitoring import WARNED, head_key
from scheduler.adapters.dynamodb.records.items import config_key
from scheduler.adapters.dynamodb.records.job_records import JOB_PREFIX, job_key
from support.checkout import CHECKOUT
from support.stack.expanded_template import TEMPLATE, Stack

FUNCTIONS = (
    "ApiFunction",
    "CallbacksFunction",
    "ConfigurationFunction",
    "HistoryFunction",
    "IdleAlarmFunction",
    "ScheduleFunction",
    "TrainingEventsFunction",
    "WebhooksFunction",
)
CALLED_BY_EVENTBRIDGE = ("CallbacksFunction", "ScheduleFunction", "TrainingEventsFunction")
CALLED_ASYNCHRONOUSLY = ("IdleAlarmFunction", *CALLED_BY_EVENTBRIDGE)
METRICS = {"METRICS": {"Ref": "Metrics"}}
OF_ITS_OWN: dict[str, dict[str, Any]] = {
    "ApiFunction": {"CALLBACKS": {"Ref": "Callbacks"}, "HOSTED_PAGE": {"Ref": "HostedPage"}},
    "CallbacksFunction": {
        "DEAD_LETTERS": {"Ref": "DeadLetters"},
        "WEBHOOK_QUEUE": {"Fn::If": ["SendsWebhooks", {"Ref": "WebhookQueue"}, ""]},
    },
    "ConfigurationFunction": {"TABLE_NAME": "", "BODY_BUCKET": ""},  # it exists before both
    "HistoryFunction": {"HISTORY_DAYS": {"Ref": "HistoryDays"}, "EVENT_BUS": {"Ref": "EventBus"}, **METRICS},
    "ScheduleFunction": METRICS,
    "WebhooksFunction": {"WEBHOOK_SECRET": {"Ref": "WebhookSecret"}},
}
DEAD_LETTERS = {"Fn::GetAtt": ["DeadLetters", "Arn"]}
LEASE_SECONDS = 90


def test_these_are_all_functions(stack: Stack) -> None:
    assert sorted(stack.functions) == sorted(FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_is_built_with_byte_code_of_each_module(stack: Stack, function: str, tmp_path: Path) -> None:
    assert stack.source["Resources"][function]["Metadata"] == {"BuildMethod": "makefile"}
    folder = TEMPLATE.parent / stack.source["Globals"]["Function"]["CodeUri"]
    command = ["make", "--directory", folder, f"ARTIFACTS_DIR={tmp_path}", f"PYTHON={sys.executable}"]
    subprocess.run([*command, f"build-{function}"], check=True)  # noqa: S603  # our own
    modules = {module.relative_to(folder) for module in folder.rglob("*.py")}
    assert {module.relative_to(tmp_path) for module in tmp_path.rglob("*.py")} == modules
    assert {Path(cache_from_source(str(tmp_path / module))) for module in modules} == {*tmp_path.rglob("*.pyc")}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_logs_json_to_a_group_of_its_own_with_a_retention(stack: Stack, function: str) -> None:
    logging = stack.functions[function]["LoggingConfig"]
    assert logging["LogFormat"] == "JSON"
    group = stack.of_type("AWS::Logs::LogGroup")[logging["LogGroup"]["Ref"]]
    assert group["RetentionInDays"] == {"Ref": "LogRetentionDays"}


def test_no_two_functions_share_a_role_or_a_log_group(stack: Stack) -> None:
    roles = {function["Role"]["Fn::GetAtt"][0] for function in stack.functions.values()}
    groups = {function["LoggingConfig"]["LogGroup"]["Ref"] for function in stack.functions.values()}
    assert (len(roles), len(groups)) == (len(FUNCTIONS), len(FUNCTIONS))


@pytest.mark.parametrize("function", CALLED_ASYNCHRONOUSLY)
def test_an_event_that_a_function_fails_on_is_kept(stack: Stack, function: str) -> None:
    (config,) = (
        config
        for config in stack.of_type("AWS::Lambda::EventInvokeConfig").values()
        if config["FunctionName"] == {"Ref": function}
    )
    assert config["DestinationConfig"]["OnFailure"]["Destination"] == DEAD_LETTERS
    assert "sqs:SendMessage" in stack.actions_of(function)


def test_exactly_these_functions_are_called_by_eventbridge(stack: Stack) -> None:
    targets = [target for rule in stack.of_type("AWS::Events::Rule").values() for target in rule.get("Targets", [])]
    targets += [schedule["Target"] for schedule in stack.of_type("AWS::Scheduler::Schedule").values()]
    assert {target["Arn"]["Fn::GetAtt"][0] for target in targets} == set(CALLED_BY_EVENTBRIDGE)
    assert all(target["DeadLetterConfig"]["Arn"] == DEAD_LETTERS for target in targets)
    assert all("MaximumEventAgeInSeconds" in target["RetryPolicy"] for target in targets)


def test_the_rule_delivers_our_training_jobs_only(stack: Stack) -> None:
    rule = stack.of_type("AWS::Events::Rule")["TrainingEventsFunctionStateChange"]
    assert rule["EventPattern"] == {
        "source": ["aws.sagemaker"],
        "detail-type": ["SageMaker Training Job State Change"],
        "detail": {"TrainingJobName": [{"wildcard": {"Fn::Sub": "*-${NameMark}-*"}}]},
    }


def test_of_others_training_jobs_only_the_name_is_passed_on_and_only_if_they_are_guarded(stack: Stack) -> None:
    rule = stack.of_type("AWS::Events::Rule")["UnmanagedJobs"]
    assert stack.expanded["Resources"]["UnmanagedJobs"]["Condition"] == "GuardsUnmanagedJobs"
    (target,) = rule["Targets"]
    paths = target["InputTransformer"]["InputPathsMap"]
    assert sorted(paths) == ["id", "name", "time"]
    filled = target["InputTransformer"]["InputTemplate"]
    for name, text in (("id", "i"), ("time", "2026-11-21T12:00:00Z"), ("name", "theirs")):
        filled = filled.replace(f"<{name}>", json.dumps(text))
    assert unmanaged_job_of(json.loads(filled)).name == "theirs"


def test_an_event_of_a_training_job_with_our_mark_never_comes_as_a_mere_name(stack: Stack) -> None:
    """Whole events show when training began."""
    ours, others = (
        stack.of_type("AWS::Events::Rule")[rule]["EventPattern"]["detail"]["TrainingJobName"]
        for rule in ("TrainingEventsFunctionStateChange", "UnmanagedJobs")
    )
    assert others == [{"anything-but": ours[0]}]


def test_the_stream_wakes_the_scheduler_for_users_and_events_and_after_a_cycle_that_had_no_time_for_all(
    stack: Stack,
) -> None:
    source = stack.of_type("AWS::Lambda::EventSourceMapping")["WakeUps"]
    assert source["FunctionName"] == {"Ref": "ScheduleFunction"}
    (only,) = source["FilterCriteria"]["Filters"]
    image = json.loads(only["Pattern"])["dynamodb"]["NewImage"]
    assert image == {"changed_by": {"S": ["api", "idle_alarm", "training_events", "unfinished"]}}


def test_the_history_gets_changed_jobs_the_head_warnings_the_configuration_and_nothing_else(stack: Stack) -> None:
    source = stack.of_type("AWS::Lambda::EventSourceMapping")["ChangedJobs"]
    assert source["FunctionName"] == {"Ref": "HistoryFunction"}
    filters = source["FilterCriteria"]["Filters"]
    jobs, head, warnings, configuration = (json.loads(one["Pattern"])["dynamodb"]["NewImage"] for one in filters)
    assert configuration == {"pk": {"S": [config_key(1)["pk"]["S"]]}}
    assert warnings == {"pk": {"S": [{"prefix": WARNED}]}}
    assert head == {"pk": {"S": [head_key()["pk"]["S"]]}}
    assert jobs == {"pk": {"S": [{"prefix": JOB_PREFIX}]}, "sk": {"S": [job_key("any")["sk"]["S"]]}}


def test_no_change_is_lost_to_the_history_without_a_dead_letter(stack: Stack) -> None:
    source = stack.of_type("AWS::Lambda::EventSourceMapping")["ChangedJobs"]
    assert source["DestinationConfig"]["OnFailure"]["Destination"] == DEAD_LETTERS
    assert source["StartingPosition"] == "TRIM_HORIZON"
    assert source["BisectBatchOnFunctionError"] is True


def test_the_page_says_how_often_and_for_how_long_a_notice_is_tried_again(stack: Stack) -> None:
    source = stack.of_type("AWS::Lambda::EventSourceMapping")["ChangedJobs"]
    hours = source["MaximumRecordAgeInSeconds"] // 3600
    page = (CHECKOUT / "docs/admin/notices.md").read_text()
    assert f"up to {source['MaximumRetryAttempts']} times within {hours} hours" in page


def test_the_stream_has_no_more_readers_than_are_not_throttled(stack: Stack) -> None:
    sources = stack.of_type("AWS::Lambda::EventSourceMapping").values()
    assert (
        len([source for source in sources if source["EventSourceArn"] == {"Fn::GetAtt": ["Queue", "StreamArn"]}]) <= 2
    )


def test_an_alarm_calls_the_function_or_leaves_a_dead_letter(stack: Stack) -> None:
    subscriptions = stack.where(SendsWebhooks=False, MailsNotices=False).of_type("AWS::SNS::Subscription")
    (subscription,) = subscriptions.values()
    assert subscription["TopicArn"] == {"Ref": "IdleAlarms"}
    assert subscription["Endpoint"] == {"Fn::GetAtt": ["IdleAlarmFunction", "Arn"]}
    assert subscription["RedrivePolicy"] == {"deadLetterTargetArn": DEAD_LETTERS}


def test_only_alarms_of_this_queue_may_publish_to_the_topic_of_idle_gpus(stack: Stack) -> None:
    policy = stack.of_type("AWS::SNS::TopicPolicy")["IdleAlarmsPolicy"]
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert policy["Topics"] == [{"Ref": "IdleAlarms"}]
    assert statement["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
    source = statement["Condition"]["ArnLike"]["aws:SourceArn"]["Fn::Sub"]
    assert source.endswith(":${AWS::AccountId}:alarm:sagequeue-${NameMark}/*")


def test_cycles_that_fail_cannot_block_the_stream_for_long(stack: Stack) -> None:
    source = stack.of_type("AWS::Lambda::EventSourceMapping")["WakeUps"]
    assert 0 <= source["MaximumRetryAttempts"] <= 10
    assert 60 <= source["MaximumRecordAgeInSeconds"] <= 300
    assert source["DestinationConfig"]["OnFailure"]["Destination"] == DEAD_LETTERS


def test_a_cycle_cannot_outlive_its_lease(stack: Stack) -> None:
    assert stack.functions["ScheduleFunction"]["Timeout"] < LEASE_SECONDS


def test_no_function_reserves_concurrency_that_a_new_account_does_not_have(stack: Stack) -> None:
    assert not [name for name, function in stack.functions.items() if "ReservedConcurrentExecutions" in function]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_gets_the_settings_of_the_settings_page(stack: Stack, function: str) -> None:
    variables = stack.functions[function]["Environment"]["Variables"]
    assert {name: value for name, value in variables.items() if not name.startswith("POWERTOOLS_")} == {
        "TABLE_NAME": {"Ref": "Queue"},
        "BODY_BUCKET": {"Ref": "Bodies"},
        "INSTANCE_BUDGET": {"Ref": "InstanceBudget"},
        "IDLE_TOPIC": {"Ref": "IdleAlarms"},
        "NOTICE_TOPIC": {"Ref": "Notices"},
        "MAIL_TOPIC": {"Ref": "MailedNotices"},
        "GUARD_UNMANAGED_JOBS": {"Ref": "GuardUnmanagedJobs"},
        "NAME_MARK": {"Ref": "NameMark"},
        "WEBHOOK_HOSTS": {"Ref": "WebhookHosts"},
        "CALLERS": {"Fn::Sub": "${Operators} ${ExecutionRolePattern}"},
        "BUDGET_SCOPE": {"Ref": "BudgetScope"},
    } | OF_ITS_OWN.get(function, {})


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_handler_is_in_the_folder_named_after_its_trigger(stack: Stack, function: str) -> None:
    folder = re.sub(r"(?<!^)(?=[A-Z])", "_", function.removesuffix("Function")).lower()
    assert stack.functions[function]["Handler"] == f"{folder}.handler.handle"
