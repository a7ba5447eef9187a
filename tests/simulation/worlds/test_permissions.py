"""The simulated functions may do exactly what template.yaml grants them."""

import json

import pytest
from cfnlint.decode import decode

from support.account import account
from support.checkout import CHECKOUT
from support.roles.granted_permissions import Roles
from support.roles.required_permissions import Need, StackLocation
from support.simulation.runs.random_world import Failure, run
from support.stack.environment import roles

TEMPLATE, _ = decode(str(CHECKOUT / "template.yaml"))
PLACE = StackLocation()
OURS = PLACE.arn("sagemaker", "training-job/resnet-sq-1")
SOMEBODY_ELSES = PLACE.arn("sagemaker", "training-job/resnet")


@pytest.mark.parametrize(
    ("function", "granted", "missing"),
    [
        ("ScheduleFunction", "${Queue.Arn}/index/queue", "schedule may not dynamodb:Query on .*/index/queue"),
        ("ScheduleFunction", "dynamodb:ConditionCheckItem", "schedule may not dynamodb:ConditionCheckItem"),
        ("ScheduleFunction", "role/${ExecutionRolePattern}", "schedule may not iam:PassRole"),
        ("ApiFunction", "${Queue.Arn}/index/queue", "api may not dynamodb:Query on .*/index/queue"),
        ("TrainingEventsFunction", "dynamodb:UpdateItem", "training_events may not dynamodb:UpdateItem"),
    ],
)
def test_a_world_fails_where_a_permission_is_missing(
    monkeypatch: pytest.MonkeyPatch, function: str, granted: str, missing: str
) -> None:
    planted = json.loads(json.dumps(TEMPLATE))
    planted["Resources"][function] = json.loads(json.dumps(TEMPLATE["Resources"][function]).replace(granted, "planted"))
    monkeypatch.setattr(account, "roles", lambda **parameters: Roles(planted, parameters, PLACE))
    with pytest.raises(Failure, match=missing):
        _run_some()


@pytest.mark.parametrize(
    ("guard", "action", "name", "may"),
    [
        ("off", "DescribeTrainingJob", OURS, True),
        ("off", "DescribeTrainingJob", SOMEBODY_ELSES, False),
        ("off", "StopTrainingJob", SOMEBODY_ELSES, False),
        ("warn", "DescribeTrainingJob", SOMEBODY_ELSES, True),
        ("warn", "StopTrainingJob", SOMEBODY_ELSES, False),
        ("stop", "StopTrainingJob", SOMEBODY_ELSES, True),
        ("stop", "UpdateTrainingJob", SOMEBODY_ELSES, False),
    ],
)
def test_what_the_cycle_may_do_to_training_jobs_depends_on_the_guard(
    guard: str, action: str, name: str, *, may: bool
) -> None:
    granted = roles(GuardUnmanagedJobs=guard).grant_for("schedule", Need(f"sagemaker:{action}", name))
    assert (granted is not None) is may


@pytest.mark.parametrize(
    ("context", "may"),
    [
        ((("iam:PassedToService", "sagemaker.amazonaws.com"),), True),
        ((("iam:PassedToService", "ec2.amazonaws.com"),), False),
        ((), False),
    ],
)
def test_a_permission_with_a_condition_is_none_without_it(context: tuple[tuple[str, str], ...], *, may: bool) -> None:
    need = Need("iam:PassRole", f"arn:aws:iam::{PLACE.account}:role/SageMakerRole", context)
    assert (roles().grant_for("schedule", need) is not None) is may


@pytest.mark.parametrize(
    ("name", "action", "may"),
    [
        ("sagequeue-sq/resnet-sq-1/idle/1", PLACE.arn("sns", "IdleAlarms"), True),
        ("sagequeue-sq/resnet-sq-1/idle/1", "arn:aws:automate:us-east-1:ec2:terminate", False),
        ("production-is-down", PLACE.arn("sns", "IdleAlarms"), False),
    ],
)
def test_an_alarm_of_the_scheduler_has_the_stacks_prefix_and_notifies_its_topic_only(
    name: str, action: str, *, may: bool
) -> None:
    (need,) = PLACE.needs_of("cloudwatch", "PutMetricAlarm", {"AlarmName": name, "AlarmActions": [action]})
    assert (roles().grant_for("schedule", need) is not None) is may


@pytest.mark.parametrize(
    ("function", "action", "key", "may"),
    [
        ("history", "PutItem", "CHANGES", True),
        ("history", "PutItem", "JOB#resnet", False),
        ("api", "PutItem", "CHANGES", False),
        ("api", "PutItem", "JOB#resnet", True),
        ("schedule", "PutItem", "CHANGES", False),
        ("schedule", "UpdateItem", "CHANGES", False),
        ("schedule", "DeleteItem", "CHANGES", False),
        ("schedule", "DeleteItem", "LIVE", True),
        ("idle_alarm", "PutItem", "CHANGES", False),
        ("idle_alarm", "PutItem", "CALLERS", False),
        ("idle_alarm", "PutItem", "JOB#resnet", True),
        ("training_events", "UpdateItem", "CHANGES", False),
        ("training_events", "UpdateItem", "JOB#resnet", False),
        ("training_events", "UpdateItem", "LIVE", True),
    ],
)
def test_each_function_writes_only_its_own_records(function: str, action: str, key: str, *, may: bool) -> None:
    (need,) = PLACE.needs_of("dynamodb", action, {"TableName": "Queue", "Key": {"pk": {"S": key}}})
    assert (roles().grant_for(function, need) is not None) is may


def _run_some() -> None:
    """Not each world needs each permission."""
    for seed in range(10):
        run(seed)
