"""The simulated functions may do exactly what template.yaml grants them."""

import json

import pytest
from cfnlint.decode import decode

from scheduler.core.requests.attempt_request import ATTEMPT_TAG
from support.account import account
from support.checkout import CHECKOUT
from support.roles.checked_client import RESOURCE_TAG
from support.roles.granted_permissions import Roles
from support.roles.required_permissions import Need, StackLocation
from support.simulation.runs.random_world import Failure, run
from support.stack.environment import REQUIRED, roles

TEMPLATE, _ = decode(str(CHECKOUT / "template.yaml"))
PLACE = StackLocation()
OURS = PLACE.arn("sagemaker", "training-job/resnet-sq-1")
TAGGED = (f"{RESOURCE_TAG}/{ATTEMPT_TAG}", "1-0123456789abcdef")
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
    monkeypatch.setattr(account, "roles", lambda **parameters: Roles(planted, REQUIRED | parameters, PLACE))
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


@pytest.mark.parametrize("action", ["StopTrainingJob", "UpdateTrainingJob"])
@pytest.mark.parametrize(
    ("name", "tags", "may"), [(OURS, (TAGGED,), True), (OURS, (), False), (SOMEBODY_ELSES, (TAGGED,), False)]
)
def test_the_cycle_ends_only_training_jobs_with_the_queues_mark_and_tag(
    action: str, name: str, tags: tuple[tuple[str, str], ...], *, may: bool
) -> None:
    assert (roles().grant_for("schedule", Need(f"sagemaker:{action}", name, tags)) is not None) is may


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
        ("api", "PutItem", "REQUEST#resnet", True),
        ("api", "PutItem", "LIVE", False),
        ("api", "PutItem", "LEDGER", False),
        ("schedule", "PutItem", "CHANGES", False),
        ("schedule", "UpdateItem", "CHANGES", False),
        ("schedule", "DeleteItem", "CHANGES", False),
        ("schedule", "DeleteItem", "LIVE", True),
        ("schedule", "PutItem", "REQUEST#resnet", False),
        ("schedule", "PutItem", "CONFIG", False),
        ("schedule", "PutItem", "CONTROLS", False),
        ("idle_alarm", "GetItem", "REQUEST#resnet", False),
        ("idle_alarm", "GetItem", "JOB#resnet", True),
        ("idle_alarm", "PutItem", "JOB#resnet", False),
        ("idle_alarm", "UpdateItem", "CHANGES", False),
        ("idle_alarm", "UpdateItem", "CONFIG", False),
        ("idle_alarm", "UpdateItem", "REQUEST#resnet", False),
        ("idle_alarm", "UpdateItem", "JOB#resnet", True),
        ("training_events", "UpdateItem", "CHANGES", False),
        ("training_events", "UpdateItem", "JOB#resnet", False),
        ("training_events", "UpdateItem", "LIVE", True),
    ],
)
def test_each_function_writes_only_its_own_records(function: str, action: str, key: str, *, may: bool) -> None:
    (need,) = PLACE.needs_of("dynamodb", action, {"TableName": "Queue", "Key": {"pk": {"S": key}}})
    assert (roles().grant_for(function, need) is not None) is may


@pytest.mark.parametrize(
    ("call", "may"),
    [
        ({"UpdateExpression": "SET observation = :o, changed_by = :by"}, True),
        ({"UpdateExpression": "SET observation = :o, demand = :d"}, False),
        ({"UpdateExpression": "SET #d.instances = :d", "ExpressionAttributeNames": {"#d": "demand"}}, False),
        ({"UpdateExpression": "REMOVE job_name"}, False),
        ({"UpdateExpression": "SET observation = :o", "ConditionExpression": "NOT demand = :d"}, False),
        ({"UpdateExpression": "SET observation = :o", "ReturnValues": "ALL_OLD"}, False),
    ],
)
def test_an_event_about_an_attempt_changes_its_observation_only(call: dict[str, object], *, may: bool) -> None:
    key = {"pk": {"S": "LIVE"}, "sk": {"S": "resnet-sq-1"}}
    (need,) = PLACE.needs_of("dynamodb", "UpdateItem", {"TableName": "Queue", "Key": key, **call})
    assert (roles().grant_for("training_events", need) is not None) is may


@pytest.mark.parametrize(
    "attribute", ["owner", "demand", "priority", "body_digests", "nonce", "queue_pk", "max_runtime"]
)
def test_a_check_of_idle_gpus_cannot_change_whose_a_job_is_or_what_it_runs(attribute: str) -> None:
    key = {"pk": {"S": "JOB#resnet"}, "sk": {"S": "JOB"}}
    for change, may in (("SET stop = :stop", True), (f"SET stop = :stop, {attribute} = :x", False)):
        call = {"TableName": "Queue", "Key": key, "UpdateExpression": change}
        (need,) = PLACE.needs_of("dynamodb", "UpdateItem", call)
        assert (roles().grant_for("idle_alarm", need) is not None) is may


def _run_some() -> None:
    """Not each world needs each permission."""
    for seed in range(10):
        run(seed)
