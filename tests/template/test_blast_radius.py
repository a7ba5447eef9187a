"""The reach of a function if it were taken over: computed from the role policies, and not more than listed here."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from support.stack.expanded_template import Stack, as_list
from template.reach import reached

#: Permissions by which a role could give itself others, or act as another role.
ESCALATING = (
    "iam:*",
    "sts:*",
    "lambda:*",
    "cloudformation:*",
    "scheduler:*",
    "ssm:*",
    "events:PutTargets",
    "s3:PutBucket*",
)
BOUNDARY = {"Fn::If": ["HasBoundary", {"Ref": "PermissionsBoundary"}, {"Ref": "AWS::NoValue"}]}


def test_only_the_cycle_reaches_create_and_pass_role(stack: Stack) -> None:
    assert may_all(stack, "sagemaker:CreateTrainingJob", "iam:PassRole") == {"ScheduleFunctionRole"}


def test_a_second_role_that_reaches_both_would_be_found(stack: Stack) -> None:
    planted = replace(stack, expanded=deepcopy(stack.expanded))
    (policy,) = planted.role_of("ApiFunction")["Policies"]
    policy["PolicyDocument"]["Statement"].append(
        {"Effect": "Allow", "Action": ["iam:Pass*", "sagemaker:*"], "Resource": "*"}
    )
    assert "ApiFunctionRole" in may_all(planted, "sagemaker:CreateTrainingJob", "iam:PassRole")


def test_no_role_can_give_itself_permissions(stack: Stack) -> None:
    granted = {(role, str(action)) for role, statement in allowing(stack) for action in as_list(statement["Action"])}
    assert {(role, action) for role, action in granted if any(fnmatchcase(action, text) for text in ESCALATING)} == {
        ("ConfigurationFunctionRole", "cloudformation:DescribeStacks"),  # reads the status of this stack, no more
        ("ScheduleFunctionRole", "iam:PassRole"),
        ("CallbacksFunctionRunRole", "lambda:InvokeFunction"),  # as the sweep
        ("ScheduleFunctionSweepRole", "lambda:InvokeFunction"),  # EventBridge Scheduler starts the sweep
    }


def test_no_role_has_a_policy_that_this_template_does_not_show(stack: Stack) -> None:
    managed = {
        str(arn) for role in stack.of_type("AWS::IAM::Role").values() for arn in role.get("ManagedPolicyArns", ())
    }
    assert {arn.rpartition("/")[2] for arn in managed} == {"AWSLambdaBasicExecutionRole"}


def test_each_function_reaches_what_is_its_work() -> None:
    assert reached(Callbacks="on") == {
        "start a training job with an execution role": {"schedule"},
        "set the requests that start as training jobs": {"api"},
        "read requests, with hyperparameters": {"api", "history", "schedule"},
        "read each record as it is written: requests, secrets of jobs, configuration": {"history", "schedule"},
        "change a job's owner, demand or priority": {"api", "schedule"},
        "request a job's stop": {"api", "idle_alarm", "schedule"},
        "change the state of a job": {"api", "idle_alarm", "schedule"},
        "keep a new job from being submitted or started": {"api", "idle_alarm", "schedule", "training_events"},
        "change how much of the budget attempts hold": {"schedule"},
        "report the status of attempts": {"schedule", "training_events"},
        "change the configuration": {"api", "configuration"},
        "change the budget or close the intake": {"api"},
        "take the lease": {"schedule"},
        "add to the history": {"history"},
        "read callback tokens": {"api", "callbacks", "history", "schedule"},
        "report a job's end to any state machine": {"callbacks"},
        "stop the queue's training jobs": {"schedule"},
        "stop other training jobs": set(),
        "describe other training jobs": {"schedule"},
    }


def test_each_role_has_the_permissions_boundary_that_the_deployment_names(
    stack: Stack, page: Stack, pipelines: Stack
) -> None:
    assert len(stack.of_type("AWS::IAM::Role")) == 10  # of eight functions, of the sweep and of the runs of callbacks
    for template in (stack, page, pipelines):
        roles = template.of_type("AWS::IAM::Role")
        assert {name: role.get("PermissionsBoundary") for name, role in roles.items()} == dict.fromkeys(roles, BOUNDARY)
        assert template.source["Parameters"]["PermissionsBoundary"]["Default"] == ""


def may_all(stack: Stack, *actions: str) -> set[str]:
    return set.intersection(
        *({role for role, statement in allowing(stack) if covers(statement, action)} for action in actions)
    )


def allowing(stack: Stack) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields every statement that allows something, also under a condition of the template, with its role."""
    for name, role in stack.of_type("AWS::IAM::Role").items():
        yield from ((name, statement) for policy in role.get("Policies", ()) for statement in statements(policy))
    for policy in stack.of_type("AWS::IAM::Policy").values():
        yield from ((role["Ref"], statement) for role in policy["Roles"] for statement in statements(policy))


def statements(policy: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for statement in as_list(policy["PolicyDocument"]["Statement"]):
        for found in statement["Fn::If"][1:] if "Fn::If" in statement else [statement]:
            if found.get("Effect") == "Allow":
                yield found


def covers(statement: dict[str, Any], action: str) -> bool:
    """Returns whether the statement names the action. One with NotAction allows nearly all of them."""
    named = as_list(statement.get("Action", "*"))
    return any(fnmatchcase(action.lower(), text.lower()) for text in named)
