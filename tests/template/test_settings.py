"""The stack's parameters, and conventions of the template."""

import json
import re
from dataclasses import fields
from itertools import takewhile
from typing import Any

import pytest
from cfnlint.api import lint_file

from scheduler.core.history.notices import NoticeKind
from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule
from scheduler.core.jobs.budget import Budget
from scheduler.core.planner.policy import Ordering, Policy
from scheduler.errors.internal import BadSetting
from scheduler.settings import Settings
from support.stack.expanded_template import TEMPLATE, Stack

PARAMETERS = (
    "BudgetScope",
    "ExecutionRolePattern",
    "IdleGpuAction",
    "IdleGpuGraceMinutes",
    "IdleGpuMinutes",
    "IdleGpuPercent",
    "InstanceBudget",
    "LogRetentionDays",
    "MinimumUtilisationPercent",
    "NameMark",
    "GuardUnmanagedJobs",
    "EventBus",
    "HistoryDays",
    "NotifyOn",
    "Operators",
    "Ordering",
    "PatienceSeconds",
    "PreemptionsPerJob",
    "ProtectedRunSeconds",
    "QueuedPerOwner",
    "RunningPerOwner",
    "StarvationAfterSeconds",
    "StarvationShare",
    "SweepRate",
    "Teams",
    "UsageHalfLifeSeconds",
    "ApiAccessLogs",
    "CustomerKey",
    "Dashboard",
    "Metrics",
    "OldestWaitAlarmSeconds",
    "PrivateCallers",
    "VpcEndpoints",
)
POLICY_PARAMETERS = {
    "PatienceSeconds": "patience",
    "PreemptionsPerJob": "preemptions_per_job",
    "ProtectedRunSeconds": "protected_run_time",
    "QueuedPerOwner": "queued_per_owner",
    "RunningPerOwner": "running_per_owner",
    "StarvationAfterSeconds": "starvation_after",
    "StarvationShare": "starvation_share",
    "UsageHalfLifeSeconds": "usage_half_life",
}
IDLE_PARAMETERS = {
    "IdleGpuGraceMinutes": "grace_minutes",
    "IdleGpuMinutes": "minutes",
    "IdleGpuPercent": "percent",
    "MinimumUtilisationPercent": "minimum_utilisation",
}
# A stack's name has up to 128 characters; CloudFormation adds the logical name and 13 more, SNS 47 of an ARN.
LONGEST_REFERENCES = {"AWS::S3::Bucket": 63, "AWS::DynamoDB::Table": 147, "AWS::SNS::Topic": 199}
NAMING_PROPERTIES = {"TableName", "BucketName", "FunctionName", "RoleName", "QueueName", "LogGroupName", "PolicyName"}


def test_the_linter_has_nothing_to_say() -> None:
    assert [str(match) for match in lint_file(TEMPLATE)] == []


def test_these_are_all_settings(stack: Stack) -> None:
    assert sorted(stack.source["Parameters"]) == sorted(PARAMETERS)


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_setting_has_a_description_a_default_and_a_constraint(stack: Stack, name: str) -> None:
    parameter = stack.source["Parameters"][name]
    assert parameter["Description"].endswith(".")
    assert _accepts(parameter, parameter["Default"])
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
    defaults = {name: str(parameter["Default"]) for name, parameter in stack.source["Parameters"].items()}
    values = (
        dict.fromkeys(stack.source["Resources"], "arn:aws:sns:eu-west-1:123456789012:a-resource") | defaults | chosen
    )
    variables = stack.source["Globals"]["Function"]["Environment"]["Variables"]
    return {name: _filled_in(variable, values) for name, variable in variables.items()}


def test_sam_asks_first_for_what_each_team_has_to_answer(stack: Stack) -> None:
    first = ["InstanceBudget", "Operators", "ExecutionRolePattern", "NameMark", "BudgetScope"]
    assert [*stack.source["Parameters"]][:5] == first


def test_a_setting_that_the_functions_read_is_checked_whenever_it_changes(stack: Stack) -> None:
    variables = stack.source["Globals"]["Function"]["Environment"]["Variables"].values()
    read = _references(list(variables)) & set(stack.source["Parameters"])
    assert _references(stack.source["Resources"]["Settings"]["Properties"]["Checked"]) == read


@pytest.mark.parametrize("parameter", ["PatienceSeconds", "PreemptionsPerJob", "RunningPerOwner"])
def test_a_fraction_of_a_second_or_job_fails_the_deployment(stack: Stack, parameter: str) -> None:
    with pytest.raises(BadSetting, match=POLICY_PARAMETERS[parameter]):
        Settings.from_env(with_defaults(stack, **{parameter: "1.5"}))


def test_the_stack_sets_the_recommended_policy(stack: Stack) -> None:
    assert Settings.from_env(with_defaults(stack)).policy == Policy()


@pytest.mark.parametrize(("parameter", "setting"), POLICY_PARAMETERS.items())
def test_a_number_of_the_policy_has_the_same_limits_in_the_stack(stack: Stack, parameter: str, setting: str) -> None:
    limits = next(field.metadata["range"] for field in fields(Policy) if field.name == setting)
    declared = stack.source["Parameters"][parameter]
    assert (declared["MinValue"], declared["MaxValue"]) == limits
    assert getattr(Settings.from_env(with_defaults(stack, **{parameter: str(limits[1])})).policy, setting) == limits[1]


def test_idle_gpus_warn_the_owner_before_a_stop_unless_configured_otherwise(stack: Stack) -> None:
    assert Settings.from_env(with_defaults(stack)).idle == IdleRule(action=IdleAction.WARN_THEN_STOP)


@pytest.mark.parametrize(("parameter", "setting"), IDLE_PARAMETERS.items())
def test_a_number_of_the_idle_rule_has_the_same_limits_in_the_stack(stack: Stack, parameter: str, setting: str) -> None:
    declared = stack.source["Parameters"][parameter]
    for key in ("MinValue", "MaxValue"):
        chosen = with_defaults(stack, **{parameter: str(declared[key])})
        assert getattr(Settings.from_env(chosen).idle, setting) == declared[key]
    with pytest.raises(BadSetting, match=setting):
        Settings.from_env(with_defaults(stack, **{parameter: str(declared["MaxValue"] + 1)}))


def test_the_actions_of_the_stack_are_those_of_the_idle_rule(stack: Stack) -> None:
    assert stack.source["Parameters"]["IdleGpuAction"]["AllowedValues"] == list(IdleAction)


def test_a_preemption_that_ends_well_sends_no_notice(stack: Stack) -> None:
    quiet = {NoticeKind.PREEMPTED, NoticeKind.RESUMED}
    assert Settings.from_env(with_defaults(stack)).notify_on == set(NoticeKind) - quiet


def test_an_unknown_notice_is_refused_with_the_known_ones(stack: Stack) -> None:
    with pytest.raises(BadSetting, match=r"NOTIFY_ON: 'everything' is not one of preempted, "):
        Settings.from_env(with_defaults(stack, NotifyOn="failed,everything"))


def test_every_setting_of_the_policy_is_a_parameter() -> None:
    assert {field.name for field in fields(Policy)} == {*POLICY_PARAMETERS.values(), "ordering", "teams"}


def test_the_orderings_of_the_stack_are_those_of_the_policy(stack: Stack) -> None:
    assert stack.source["Parameters"]["Ordering"]["AllowedValues"] == list(Ordering)
    assert Settings.from_env(with_defaults(stack, Ordering="shortest")).policy.ordering is Ordering.SHORTEST


def test_teams_reach_the_functions(stack: Stack) -> None:
    teams = '{"vision": {"members": ["*:assumed-role/Vision/*"], "weight": 2, "guarantee": {"ml.g5.xlarge": 1}}}'
    assert _accepts(stack.source["Parameters"]["Teams"], teams)
    (team,) = Settings.from_env(with_defaults(stack, Teams=teams)).policy.teams
    assert (team.name, team.weight, team.guarantee.as_dict()) == ("vision", 2.0, {"ml.g5.xlarge": 1})


@pytest.mark.parametrize("own", ["CheckSettingsFunction", "ScheduleFunction"])
def test_the_longest_settings_fit_into_the_4_kb_of_a_functions_environment(stack: Stack, own: str) -> None:
    settings = {name: _longest(name, parameter) for name, parameter in stack.source["Parameters"].items()}
    variables = stack.source["Globals"]["Function"]["Environment"]["Variables"].values()
    kinds = {name: resource["Type"] for name, resource in stack.source["Resources"].items()}
    references = {variable["Ref"] for variable in variables if "Ref" in variable} & kinds.keys()
    resources = {name: "r" * LONGEST_REFERENCES[kinds[name]] for name in references}
    resource = stack.source["Resources"][own]["Properties"]
    of_its_own = resource.get("Environment", {}).get("Variables", {})
    environment = with_defaults(stack, **settings, **resources)
    environment |= {name: _filled_in(variable, settings) for name, variable in of_its_own.items()}
    assert len(json.dumps(environment, separators=(",", ":"))) <= 4096  # Lambda measures it as such a text


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


def test_the_outputs_are_what_clients_and_the_local_account_need(stack: Stack) -> None:
    outputs = stack.source["Outputs"]
    topics = {"AlertsTopic", "NoticesTopic"}
    assert set(outputs) == {"ApiUrl", "NameMark", "TableName", "BodyBucketName", "ScheduleFunctionName", *topics}
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


def _longest(name: str, parameter: dict[str, Any]) -> str:
    if name == "Teams":
        return _many_teams(parameter["MaxLength"])
    if "AllowedValues" in parameter:
        return max(map(str, parameter["AllowedValues"]), key=len)
    if parameter["Type"] == "Number":
        return max(str(parameter["MinValue"]), str(parameter["MaxValue"]), "0.333333", key=len)
    return "x" * int(parameter["MaxLength"])


def _many_teams(length: int) -> str:
    """As many as fit: each quotation mark of them counts twice inside the environment."""
    team = {"members": ["*:assumed-role/Vision/*"], "weight": 2, "guarantee": {"ml.g5.xlarge": 1}}
    texts = (json.dumps({f"team{n}": team for n in range(count)}) for count in range(length))
    return list(takewhile(lambda text: len(text) <= length, texts))[-1]


def _accepts(parameter: dict[str, Any], value: object) -> bool:
    """CloudFormation's own check."""
    if "AllowedValues" in parameter:
        return value in parameter["AllowedValues"]
    if parameter["Type"] == "Number":
        return bool(parameter["MinValue"] <= value <= parameter["MaxValue"])
    return re.fullmatch(parameter["AllowedPattern"], str(value)) is not None
