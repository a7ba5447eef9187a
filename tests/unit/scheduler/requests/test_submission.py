"""Requests that the queue accepts, and its messages for those it refuses."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.request_model import refuse_invalid
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.requests.instances import instances_of
from scheduler.core.requests.job_building import build_job
from scheduler.core.requests.options import read_options
from scheduler.core.requests.request_reading import digest_of
from scheduler.errors.refusals import BadRequest
from support.builders.tuning_requests import a_definition, a_tuning_request
from support.checkout import DATA

NOW = datetime(2026, 1, 1, tzinfo=UTC)
# An instance of the training plan is none of those on demand.
BUDGET = Budget.of({"ml.m5.large": 2, "ml.g5.xlarge": 4, "ml.m5.large@winter": 4})
PLAN = "arn:aws:sagemaker:us-east-1:123456789012:training-plan/winter"
ON_SPOT = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 60, "MaxWaitTimeInSeconds": 60},
}
REQUESTS = DATA / "requests"
PREFERENCES = "ResourceConfig.InstancePreferences"
# Valid requests that are not for a queue of instances.
NOT_FOR_THE_QUEUE = {"35-v3-serverless-customization": "unsupported"}


def a_request(**changes: Any) -> dict[str, Any]:
    return {
        "TrainingJobName": "resnet",
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "RoleArn": "arn:aws:iam::000000000000:role/SageMakerRole",
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
    } | changes


def submit(request: dict[str, Any], budget: Budget = BUDGET, **beside: Any) -> Job:
    refuse_invalid(request)
    return build_job(request, read_options(request, beside), owner="ada", budget=budget, now=NOW)


def resources(**changes: Any) -> dict[str, Any]:
    return {"ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1} | changes}


def tags(*pairs: tuple[str, str]) -> dict[str, Any]:
    return {"Tags": [{"Key": key, "Value": value} for key, value in pairs]}


def checkpoints(uri: str) -> dict[str, Any]:
    return {"CheckpointConfig": {"S3Uri": uri}}


CHECKPOINTS = checkpoints("s3://bucket/checkpoints")


def groups(count: int) -> dict[str, Any]:
    group = {"InstanceType": "ml.m5.large", "InstanceCount": count, "InstanceGroupName": "a"}
    return {"ResourceConfig": {"InstanceGroups": [group], "VolumeSizeInGB": 1}}


def preferring(*preferences: tuple[str, int | None], **more: Any) -> dict[str, Any]:
    given = [
        {"InstanceType": kind} | ({} if count is None else {"InstanceCount": count}) for kind, count in preferences
    ]
    return {"ResourceConfig": {"InstancePreferences": given, "VolumeSizeInGB": 1, **more}}


def test_the_priority_comes_from_the_tag() -> None:
    assert submit(a_request(Tags=[{"Key": "priority", "Value": "-7"}])).options.priority == -7
    assert submit(a_request()).options.priority == 0


def test_options_come_from_tags_or_from_beside_the_request() -> None:
    by_tag = submit(
        a_request(
            **tags(("queue:priority", "4"), ("queue:never-preempt", "true"), ("queue:checkpoint-interval", "600")),
            **CHECKPOINTS,
        )
    )
    beside = submit(a_request(**CHECKPOINTS), priority=4, never_preempt=True, checkpoint_interval=600)
    for job in (by_tag, beside):
        assert (job.options.priority, job.options.never_preempt, job.options.checkpoint_interval) == (4, True, 600)


def test_a_job_can_be_submitted_on_hold() -> None:
    for job in (submit(a_request(**tags(("queue:hold", "true")))), submit(a_request(), hold=True)):
        assert (job.status.state, job.status.reason.code) == (JobState.HELD, ReasonCode.HELD)
    assert submit(a_request(**tags(("queue:hold", "false")))).status.state is JobState.PENDING


def test_the_same_option_given_both_ways_is_one() -> None:
    request = a_request(**tags(("queue:priority", "4")))
    assert submit(request, priority=4) == submit(request)


def test_the_same_request_with_another_option_is_another_submission() -> None:
    assert (
        submit(a_request(), priority=4).digest != submit(a_request(), priority=5).digest != submit(a_request()).digest
    )
    assert submit(a_request(), priority=0).digest == submit(a_request()).digest


def test_an_option_of_a_later_version_makes_no_other_job_of_one_that_did_not_have_it() -> None:
    assert submit(a_request(), priority=4).digest == digest_of({"request": a_request(), "options": {"priority": 4}})


@pytest.mark.parametrize(
    ("beside", "field"),
    [
        ({"priority": "4"}, "options.priority"),
        ({"priority": True}, "options.priority"),
        ({"priority": 10_000}, "options.priority"),
        ({"hold": "true"}, "options.hold"),
        ({"never_preempt": 1}, "options.never_preempt"),
        ({"checkpoint_interval": 0}, "options.checkpoint_interval"),
        ({"retries": -1}, "options.retries"),
        ({"retries": True}, "options.retries"),
        ({"team": "two words"}, "options.team"),
        ({"checkpoint_interval": 60.5}, "options.checkpoint_interval"),
        ({"checkpoint_interval": 600}, "CheckpointConfig"),
        ({"prio": 4}, "options.prio"),
    ],
)
def test_a_refused_option_is_named_with_its_remedy(beside: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        submit(a_request(), **beside)
    assert refusal.value.field == field
    assert refusal.value.remedy


def test_retries_are_an_option_of_the_tag_and_beside_the_request() -> None:
    assert submit(a_request(**tags(("queue:retries", "3")))).options.retries == 3
    assert submit(a_request(), retries=0).options.retries == 0
    assert submit(a_request()).options.retries is None


SHELLS = [
    {"RemoteDebugConfig": {"EnableRemoteDebug": True}},
    {"Environment": {"START_SSH": "true", "SSH_SSM_ROLE": "service-role/SSHHelper"}},
]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_job_that_opens_a_shell_is_interactive_and_cannot_deny_it(shell: dict[str, Any]) -> None:
    options = submit(a_request(**shell)).options
    assert (options.interactive, options.idle_exempt) == (True, True)
    with pytest.raises(BadRequest, match="lets people open a shell") as refusal:
        submit(a_request(**shell), interactive=False)
    assert refusal.value.field in {"RemoteDebugConfig.EnableRemoteDebug", "Environment.SSH_SSM_ROLE"}


def test_a_tuning_job_whose_trials_open_a_shell_is_interactive() -> None:
    opening, closed = a_definition(Environment={"SSH_SSM_ROLE": "SSHHelper"}), a_definition()
    single = a_tuning_request(TrainingJobDefinition=opening)
    assert read_options(single, {}).of_job.interactive
    several = {**a_tuning_request(), "TrainingJobDefinitions": [closed, opening]}
    del several["TrainingJobDefinition"]
    assert read_options(several, {}).of_job.interactive
    with pytest.raises(BadRequest) as refusal:
        read_options(several, {"interactive": False})
    assert refusal.value.field == "TrainingJobDefinitions[1].Environment.SSH_SSM_ROLE"
    assert not read_options(a_tuning_request(), {}).of_job.interactive


def test_an_interactive_job_is_exempt_from_the_watch_unless_it_says_otherwise() -> None:
    tagged = a_request(**tags(("queue:interactive", "true")))
    assert submit(tagged).options.idle_exempt
    assert not submit(tagged, idle_exempt=False).options.idle_exempt
    assert not submit(a_request()).options.interactive


def test_a_job_with_remote_debugging_may_leave_its_gpus_idle_unless_it_says_otherwise() -> None:
    debugged = a_request(RemoteDebugConfig={"EnableRemoteDebug": True})
    assert submit(debugged).options.idle_exempt
    assert not submit(debugged, idle_exempt=False).options.idle_exempt
    assert not submit(a_request(RemoteDebugConfig={"EnableRemoteDebug": False})).options.idle_exempt


@pytest.mark.parametrize("tag", ["queue:priority", "priority"])
def test_options_that_contradict_their_tags_are_refused_naming_the_tag_as_it_was_given(tag: str) -> None:
    with pytest.raises(BadRequest, match=f"the tag {tag} is 4") as refusal:
        submit(a_request(**tags((tag, "4"))), priority=5)
    assert refusal.value.field == "options.priority"


def test_an_unknown_tag_of_the_queue_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(BadRequest) as refusal:
        submit(a_request(**tags(("team", "vision"), ("queue:prio", "4"))))
    assert refusal.value.field == "Tags[1].Key"
    assert (
        "queue:priority, queue:hold, queue:never-preempt, queue:idle-exempt, queue:interactive" in refusal.value.remedy
    )


def test_the_groups_of_a_heterogeneous_cluster_are_added_up() -> None:
    groups = [
        {"InstanceType": "ml.m5.large", "InstanceCount": 1, "InstanceGroupName": "a"},
        {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "InstanceGroupName": "b"},
        {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2, "InstanceGroupName": "c"},
    ]
    assert instances_of({"InstanceGroups": groups}).as_dict() == {"ml.m5.large": 1, "ml.g5.xlarge": 3}


def test_the_digest_ignores_the_order_of_keys_and_nothing_else() -> None:
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
    assert digest_of({"a": [1, 2]}) != digest_of({"a": [2, 1]})


def test_a_checkpoint_prefix_has_up_to_fifty_segments() -> None:
    uri = "s3://bucket" + 50 * "/a"
    assert submit(a_request(**checkpoints(uri))).spec.checkpoint_uri == uri


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"TrainingJobName": "under_score"}, "TrainingJobName"),
        ({"TrainingJobName": "-dash"}, "TrainingJobName"),
        ({"TrainingJobName": "a" * 64}, "TrainingJobName"),
        ({"TrainingJobName": 7}, "TrainingJobName"),
        ({"RoleArn": None}, "RoleArn"),
        ({"Bogus": 1}, "Bogus"),
        ({"HyperParameters": {"epochs": 3}}, "HyperParameters.epochs"),
        ({"Tags": [{"Key": "priority", "Value": "high"}]}, "Tags[0].Value"),
        ({"Tags": [{"Key": "priority", "Value": "1.5"}]}, "Tags[0].Value"),
        ({"Tags": [{"Key": "team", "Value": "a"}, {"Key": "priority", "Value": "10000"}]}, "Tags[1].Value"),
        ({"Tags": [{"Key": "team"}]}, "Tags[0].Value"),
        (resources(InstanceType="ml.p5.48xlarge"), "ResourceConfig.InstanceType"),
        (resources(InstanceCount=3), "ResourceConfig.InstanceCount"),
        (resources(TrainingPlanArn=f"{PLAN}-that-nobody-knows"), "ResourceConfig.TrainingPlanArn"),
        (resources(TrainingPlanArn=PLAN, InstanceCount=5), "ResourceConfig.TrainingPlanArn"),
        (resources(TrainingPlanArn=PLAN) | ON_SPOT, "EnableManagedSpotTraining"),
        (resources(InstanceCount=0), "ResourceConfig.InstanceCount"),
        (resources(InstanceCount="1"), "ResourceConfig.InstanceCount"),
        (resources(InstanceCount=True), "ResourceConfig.InstanceCount"),
        ({"ResourceConfig": {"VolumeSizeInGB": 1}}, "ResourceConfig.InstanceType"),
        (preferring(("ml.m5.large", 1), ("ml.m5.large", 2)), f"{PREFERENCES}[1].InstanceType"),
        (preferring(("ml.m5.large", 1), ("ml.g5.xlarge", None)), f"{PREFERENCES}[1].InstanceCount"),
        (preferring(("ml.m5.large", 0)), f"{PREFERENCES}[0].InstanceCount"),
        (preferring(("ml.m5.large", 1), InstanceCount=1), f"{PREFERENCES}[0].InstanceCount"),
        (preferring(("ml.m5.large", 1), InstanceType="ml.m5.large"), PREFERENCES),
        (preferring(("ml.m5.large", 1), **groups(1)["ResourceConfig"]), PREFERENCES),
        (preferring(("ml.m5.large", 1)) | {"EnableManagedSpotTraining": True}, PREFERENCES),
        (preferring(("ml.m5.large", 1), ("ml.p5.48xlarge", 1)), PREFERENCES),
        (preferring(("ml.m5.large", 1), ("ml.g5.xlarge", 5)), PREFERENCES),
        (groups(0), "ResourceConfig.InstanceGroups[0].InstanceCount"),
        (resources(**groups(1)["ResourceConfig"]), "ResourceConfig.InstanceGroups"),
        ({"StoppingCondition": {"MaxRuntimeInSeconds": 28 * 86_400 + 1}}, "StoppingCondition.MaxRuntimeInSeconds"),
        ({"StoppingCondition": {"MaxRuntimeInSeconds": 10**40}}, "StoppingCondition.MaxRuntimeInSeconds"),
        ({"Tags": [{"Key": "priority", "Value": "1"}, {"Key": "priority", "Value": "2"}]}, "Tags[1].Value"),
        (tags(("priority", "1"), ("queue:priority", "1")), "Tags[1].Value"),
        (tags(("queue:hold", "yes")), "Tags[0].Value"),
        (tags(("queue:checkpoint-interval", "10m")), "Tags[0].Value"),
        (tags(("queue:checkpoint-interval", "600")), "CheckpointConfig"),
        ({"Tags": [{"Key": "priority", "Value": "٣"}]}, "Tags[0].Value"),
        (checkpoints("s3://bucket"), "CheckpointConfig.S3Uri"),
        (checkpoints("s3://bucket//"), "CheckpointConfig.S3Uri"),
        (checkpoints("s3://bucket/" + "a/" * 51), "CheckpointConfig.S3Uri"),
        ({"StoppingCondition": {"MaxRuntimeInSeconds": 0}}, "StoppingCondition.MaxRuntimeInSeconds"),
        ({"AlgorithmSpecification": {"TrainingInputMode": "Fil"}}, "AlgorithmSpecification.TrainingInputMode"),
    ],
)
def test_a_refusal_names_the_field_and_the_remedy(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        submit(a_request(**changes))
    assert refusal.value.field == field
    assert refusal.value.remedy


def test_a_job_of_a_training_plan_needs_its_instances_and_no_others() -> None:
    job = submit(a_request(**resources(TrainingPlanArn=PLAN, InstanceCount=4)))
    assert (job.spec.demand.as_dict(), job.spec.pool_key) == ({"ml.m5.large@winter": 4}, "")


def test_of_preferences_the_worst_case_is_what_the_job_needs() -> None:
    each = submit(a_request(**preferring(("ml.m5.large", 2), ("ml.g5.xlarge", 4))))
    shared = submit(a_request(**preferring(("ml.m5.large", None), ("ml.g5.xlarge", None), InstanceCount=2)))
    assert (each.spec.demand, each.awaits_selection) == (Demand.of({"ml.m5.large": 2, "ml.g5.xlarge": 4}), True)
    assert shared.spec.demand == Demand.of({"ml.m5.large": 2, "ml.g5.xlarge": 2})


def test_preferences_keep_no_instances_beyond_their_job() -> None:
    job = submit(a_request(**preferring(("ml.m5.large", 1), KeepAlivePeriodInSeconds=600)))
    assert (job.spec.keep_alive, job.spec.pool_key) == (0, "")


@pytest.mark.parametrize(("preference", "more"), [({"TrainingPlanArns": [PLAN]}, {}), ({}, {"TrainingPlanArn": PLAN})])
def test_preferences_with_a_training_plan_are_not_for_the_queue(
    preference: dict[str, Any], more: dict[str, Any]
) -> None:
    request = a_request(**preferring(("ml.m5.large", 1), **more))
    request["ResourceConfig"]["InstancePreferences"][0] |= preference
    with pytest.raises(BadRequest, match="TrainingPlanArn"):
        submit(request)


@pytest.mark.parametrize(
    "field", ["TrainingJobName", "RoleArn", "OutputDataConfig", "ResourceConfig", "StoppingCondition"]
)
def test_a_missing_field_is_named(field: str) -> None:
    request = a_request()
    del request[field]
    with pytest.raises(BadRequest, match=f"{field} is missing"):
        submit(request)


@pytest.mark.parametrize("path", sorted(REQUESTS.glob("*.json")), ids=lambda path: path.stem)
def test_what_the_sdks_send_is_valid(path: Path) -> None:
    request = json.loads(path.read_text())
    instances = instances_of(request.get("ResourceConfig", {}))
    whole = Budget(instances, tuple(instances))
    if path.stem in NOT_FOR_THE_QUEUE:
        with pytest.raises(BadRequest) as refusal:
            submit(request, whole)
        assert refusal.value.code == NOT_FOR_THE_QUEUE[path.stem]
    else:
        assert submit(request, whole).name == request["TrainingJobName"]
