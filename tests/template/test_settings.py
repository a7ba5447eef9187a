"""The stack's parameters, and conventions of the template."""

import re
from pathlib import Path
from typing import Any

import pytest
from cfnlint.api import lint_file

from scheduler.adapters.aws.configuration_file import FileAddress
from scheduler.core.jobs.budget import Budget
from scheduler.errors.config_errors import DeploymentRefused
from scheduler.errors.internal import BadSetting
from scheduler.settings import Settings
from support.stack.expanded_template import STACKS, TEMPLATE, Stack

PARAMETERS = (
    "ApiAccessLogs",
    "BudgetScope",
    "Callbacks",
    "Configuration",
    "CustomerKey",
    "EventBus",
    "ExecutionRolePattern",
    "ForceConfiguration",
    "GuardUnmanagedJobs",
    "HistoryDays",
    "HostedPage",
    "InstanceBudget",
    "LogRetentionDays",
    "Metrics",
    "NameMark",
    "NoticesEmail",
    "Operators",
    "PermissionsBoundary",
    "PrivateCallers",
    "SweepRate",
    "VpcEndpoints",
    "WebhookHosts",
)
#: Whoever deploys must answer: no default would suit an account that has other roles.
WITHOUT_DEFAULT = {"ExecutionRolePattern": "queue/*"}
DIGEST = "5f" * 32
NAMING_PROPERTIES = {"TableName", "BucketName", "FunctionName", "RoleName", "QueueName", "LogGroupName", "PolicyName"}


@pytest.mark.parametrize("template", [TEMPLATE, *sorted(STACKS.glob("*.yaml"))], ids=lambda template: template.name)
def test_the_linter_has_nothing_to_say(template: Path) -> None:
    assert [str(match) for match in lint_file(template)] == []


def test_these_are_all_settings(stack: Stack) -> None:
    assert sorted(stack.source["Parameters"]) == sorted(PARAMETERS)
    assert len(PARAMETERS) <= 22  # policy belongs in the configuration, optional features in stacks of their own


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_setting_has_a_description_a_default_and_a_constraint(stack: Stack, name: str) -> None:
    parameter = stack.source["Parameters"][name]
    assert parameter["Description"].endswith(".")
    assert ("Default" in parameter) is (name not in WITHOUT_DEFAULT)
    assert _accepts(parameter, parameter.get("Default", WITHOUT_DEFAULT.get(name)))
    assert "AllowedValues" in parameter or "ConstraintDescription" in parameter


@pytest.mark.parametrize("text", ["ml.g5.xlarge=4", "ml.p5.48xlarge=2,ml.g5.xlarge=4", "ml.c5n.18xlarge=0"])
def test_a_budget_that_the_stack_accepts_can_be_read_by_the_functions(stack: Stack, text: str) -> None:
    assert _accepts(stack.source["Parameters"]["InstanceBudget"], text)
    assert Budget.parse(text).types


@pytest.mark.parametrize("text", ["", "ml.g5.xlarge", "g5.xlarge=1", "ml.g5.xlarge=-1", "ml.g5.xlarge=1,", "ml.g5=1"])
def test_a_budget_that_the_functions_cannot_read_is_refused_by_the_stack(stack: Stack, text: str) -> None:
    assert not _accepts(stack.source["Parameters"]["InstanceBudget"], text)
    with pytest.raises(BadSetting):
        Budget.parse(text)


def with_defaults(stack: Stack, **chosen: str) -> dict[str, str]:
    """The functions' environment as CloudFormation fills it in."""
    given = {
        name: str(parameter["Default"])
        for name, parameter in stack.source["Parameters"].items()
        if "Default" in parameter
    }
    defaults = WITHOUT_DEFAULT | given
    values = (
        dict.fromkeys(stack.source["Resources"], "arn:aws:sns:eu-west-1:123456789012:a-resource") | defaults | chosen
    )
    variables = stack.source["Globals"]["Function"]["Environment"]["Variables"]
    return {name: _filled_in(variable, values) for name, variable in variables.items()}


def test_the_defaults_are_usable(stack: Stack) -> None:
    assert Settings.from_env(with_defaults(stack)).callers.operators


def test_whoever_deploys_must_say_which_roles_may_be_passed(stack: Stack) -> None:
    """A default such as *SageMaker* would let every caller of the API run code as roles of other teams."""
    parameter = stack.source["Parameters"]["ExecutionRolePattern"]
    assert not _accepts(parameter, "")
    for word in ("Every user who may submit jobs can run code as any of these roles", "queue/*", "callers"):
        assert word in parameter["Description"]


def test_sam_asks_first_for_what_each_team_has_to_answer(stack: Stack) -> None:
    first = ["InstanceBudget", "Operators", "ExecutionRolePattern", "NameMark", "BudgetScope", "NoticesEmail"]
    assert [*stack.source["Parameters"]][:6] == first


@pytest.mark.parametrize(
    ("text", "is_accepted"),
    [("", True), ("ada@example.org", True), ("ada@example.org,bob@example.org", False), ("ada", False)],
)
def test_a_first_deployment_subscribes_one_address_or_none(stack: Stack, text: str, is_accepted: bool) -> None:
    assert bool(_accepts(stack.source["Parameters"]["NoticesEmail"], text)) is is_accepted
    assert stack.of_type("AWS::SNS::Subscription")["NoticesByEmail"] == {
        "TopicArn": {"Ref": "Notices"},
        "Protocol": "email",
        "Endpoint": {"Ref": "NoticesEmail"},
    }
    assert stack.where(MailsNotices=False).of_type("AWS::SNS::Subscription").keys().isdisjoint({"NoticesByEmail"})


def test_a_setting_that_the_functions_read_is_checked_whenever_it_changes(stack: Stack) -> None:
    variables = stack.source["Globals"]["Function"]["Environment"]["Variables"].values()
    read = _references(list(variables)) & set(stack.source["Parameters"])
    assert _references(stack.source["Resources"]["Settings"]["Properties"]["Checked"]) == read


def test_each_release_checks_the_settings_again(stack: Stack) -> None:
    """CloudFormation calls the function only if a property changes, and a new release may refuse other settings."""
    checked = stack.source["Resources"]["Settings"]["Properties"]
    assert checked["Release"] == stack.source["Outputs"]["Release"]["Value"]


def test_a_file_and_force_reach_the_function(stack: Stack) -> None:
    checked, applied = (stack.source["Resources"][name]["Properties"] for name in ("Settings", "DeployedConfiguration"))
    assert checked["Configuration"] == {"Ref": "Configuration"}
    assert {name: applied[name] for name in ("Table", "Configuration", "Force")} == {
        "Table": {"Ref": "Queue"},
        "Configuration": {"Ref": "Configuration"},
        "Force": {"Ref": "ForceConfiguration"},
    }


def test_the_stack_asks_for_no_file_by_default(stack: Stack) -> None:
    assert stack.source["Parameters"]["Configuration"]["Default"] == ""


@pytest.mark.parametrize(
    "place", ["bucket/queue.yaml", "my.bucket/team-a/queue=1/the_queue@2.yaml", "bucket/a@sha256/b@sha256"]
)
def test_an_address_of_a_file_is_accepted_and_its_place_is_what_the_function_may_read(stack: Stack, place: str) -> None:
    text = f"{place}@sha256:{DIGEST}"
    assert _accepts(stack.source["Parameters"]["Configuration"], text)
    assert str(FileAddress.parse(text)) == f"s3://{place}"
    (resource,) = (
        statement["Resource"]
        for statement in stack.statements_of("ConfigurationFunction")
        if statement["Sid"] == "ReadTheConfigurationFile"
    )
    parts = {"Fn::Split": ["@sha256:", {"Ref": "Configuration"}]}
    assert resource == {
        "Fn::Sub": [
            "arn:${AWS::Partition}:s3:::${ConfigurationFile}",
            {"ConfigurationFile": {"Fn::Select": [0, parts]}},
        ]
    }
    assert text.split("@sha256:") == [place, DIGEST]


@pytest.mark.parametrize(
    "place", ["bucket", "bucket/", "/key", "bucket/*", "bucket/a?b", "https://bucket/key", "b/k ey", "bucket/a@sha256:"]
)
def test_an_address_that_would_be_a_pattern_or_ambiguous_in_a_permission_is_refused(stack: Stack, place: str) -> None:
    _is_refused(stack, f"{place}@sha256:{DIGEST}")


@pytest.mark.parametrize(
    "digest",
    ["", "@", "@sha256:", f"@{DIGEST}", f"@sha256:{DIGEST[2:]}", f"@sha256:{DIGEST.upper()}", f"@md5:{DIGEST}"],
)
def test_an_address_without_the_digest_of_the_file_is_refused(stack: Stack, digest: str) -> None:
    _is_refused(stack, f"bucket/queue.yaml{digest}")


def _is_refused(stack: Stack, text: str) -> None:
    assert not _accepts(stack.source["Parameters"]["Configuration"], text)
    with pytest.raises(DeploymentRefused, match=r"^Configuration: .* Write bucket/key@sha256:DIGEST"):
        FileAddress.parse(text)


@pytest.mark.parametrize("text", ["s", "SQ", "1sq", "s-q", "squeueing", "sq*"])
def test_a_mark_that_would_not_fit_into_a_name_is_refused(stack: Stack, text: str) -> None:
    assert not _accepts(stack.source["Parameters"]["NameMark"], text)


@pytest.mark.parametrize("text", ["*", "**", "a*b", "role name", "arn:aws:iam::123456789012:role/x"])
def test_a_pattern_that_hardly_limits_the_roles_is_refused(stack: Stack, text: str) -> None:
    assert not _accepts(stack.source["Parameters"]["ExecutionRolePattern"], text)


@pytest.mark.parametrize("text", ["*SageMaker*", "service-role/AmazonSageMaker-*", "teams/vision/train"])
def test_a_pattern_may_hold_a_path(stack: Stack, text: str) -> None:
    assert _accepts(stack.source["Parameters"]["ExecutionRolePattern"], text)


def test_two_stacks_can_live_in_one_account_because_nothing_has_a_fixed_name(stack: Stack) -> None:
    fixed = [
        (name, kind)
        for name, resource in stack.expanded["Resources"].items()
        for kind, value in resource.get("Properties", {}).items()
        if kind in {*NAMING_PROPERTIES, "Name"} and isinstance(value, str)
    ]
    assert fixed == []


def test_old_versions_of_the_layer_do_not_pile_up(stack: Stack) -> None:
    (layer,) = (r for r in stack.expanded["Resources"].values() if r["Type"] == "AWS::Lambda::LayerVersion")
    assert layer["DeletionPolicy"] == "Delete"


def test_the_outputs_are_what_clients_operators_and_stacks_beside_it_need(stack: Stack) -> None:
    outputs = stack.source["Outputs"]
    names = {"DeadLettersName", "TableName", "BodyBucketName", "ScheduleFunctionName"}
    assert set(outputs) == {
        "Release",
        "ApiUrl",
        "NameMark",
        "AlertsTopic",
        "NoticesTopic",
        "MailTopic",
        "WebhookSecretArn",
        *names,
    }
    assert all(output["Description"] and "Export" not in output for output in outputs.values())


def _filled_in(variable: Any, values: dict[str, str]) -> str:
    match variable:
        case {"Ref": name}:
            return values[name]
        case {"Fn::Sub": text}:
            return re.sub(r"\$\{(\w+)\}", lambda name: values[name[1]], text)
    return str(variable)


def _references(value: Any) -> set[str]:
    match value:
        case {"Ref": name}:
            return {name}
        case {"Fn::Sub": text}:
            return set(re.findall(r"\$\{(\w+)\}", text))
        case list():
            return set().union(*map(_references, value))
    return set()


def _accepts(parameter: dict[str, Any], value: object) -> bool:
    """CloudFormation's own check."""
    if "AllowedValues" in parameter:
        return value in parameter["AllowedValues"]
    if parameter["Type"] == "Number":
        return bool(parameter["MinValue"] <= value <= parameter["MaxValue"])
    return re.fullmatch(parameter["AllowedPattern"], str(value)) is not None
