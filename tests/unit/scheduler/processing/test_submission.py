"""Requests for processing jobs that the queue accepts, and its messages for those it refuses."""

from datetime import UTC, datetime
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.request_model import refuse_invalid
from scheduler.core.guardrails.kinds.access import Images, OutputPrefixes, Vpc
from scheduler.core.guardrails.kinds.capacity import InstancesPerJob
from scheduler.core.guardrails.rules import Rules, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.work.definitions import roles_in
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.requests.attempt_request import attempt_request
from scheduler.core.requests.job_building import build_job
from scheduler.core.requests.job_update import JobUpdate, updated
from scheduler.core.requests.judged_requests import judged_requests
from scheduler.core.requests.options import read_options
from scheduler.core.requests.redaction import shown_to_strangers
from scheduler.errors.refusals import BadRequest
from support.builders.jobs import an_attempt
from support.builders.processing_requests import ROLE, a_processing_request

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BUDGET = Budget.parse("ml.m5.large=20,ml.m5.large@processing=4,ml.g5.xlarge=2")
S3 = {"S3Uri": "s3://bucket/out", "S3UploadMode": "EndOfJob"}


def submit(request: dict[str, Any], budget: Budget = BUDGET, **beside: Any) -> Job:
    refuse_invalid(request)
    return build_job(request, read_options(request, beside), owner="ada", budget=budget, now=NOW)


def refusal(request: dict[str, Any], **beside: Any) -> BadRequest:
    with pytest.raises(BadRequest) as caught:
        submit(request, **beside)
    return caught.value


def cluster(**changes: Any) -> dict[str, Any]:
    return {"ClusterConfig": {"InstanceCount": 1, "InstanceType": "ml.m5.large", "VolumeSizeInGB": 1, **changes}}


def output(name: str, uri: str) -> dict[str, Any]:
    return {"OutputName": name, "S3Output": {**S3, "S3Uri": uri}}


def test_a_processing_job_demands_instances_of_its_own_budget_line() -> None:
    job = submit(a_processing_request("features", instances=3))
    assert (job.name, job.spec.kind) == ("features", WorkKind.PROCESSING)
    assert job.spec.demand == Demand.of({"ml.m5.large@processing": 3})
    assert (job.spec.max_runtime, job.spec.keep_alive, job.spec.pool_key) == (3600, 0, "")


def test_without_a_limit_it_runs_for_a_day_at_most() -> None:
    request = a_processing_request()
    del request["StoppingCondition"]
    assert submit(request).spec.max_runtime == 86_400


def test_it_is_preempted_only_if_its_user_allows_a_restart() -> None:
    assert submit(a_processing_request()).is_never_preempted
    assert not submit(a_processing_request(), never_preempt=False).is_never_preempted
    tagged = a_processing_request(Tags=[{"Key": "queue:never-preempt", "Value": "false"}])
    assert not submit(tagged).is_never_preempted


def test_an_option_that_is_reset_protects_it_again() -> None:
    job = submit(a_processing_request(), never_preempt=False)
    assert updated(job, JobUpdate({"never_preempt": None}), "ada", NOW).is_never_preempted


def test_its_time_limit_cannot_change() -> None:
    with pytest.raises(BadRequest, match="does not apply to the processing job features"):
        updated(submit(a_processing_request()), JobUpdate(max_runtime=60), "ada", NOW)


def test_an_attempt_has_its_own_name_and_two_tags_and_changes_nothing_else() -> None:
    request = a_processing_request(Tags=[{"Key": "project", "Value": "churn"}], Environment={"A": "b"})
    job = submit(request)
    sent = attempt_request(request, job, an_attempt(job), {"SAGEQUEUE_NOTICE": "s3://bucket/notice"})
    assert sent["ProcessingJobName"] == "features-sq-1"
    tags: Any = sent["Tags"]
    assert [tag["Key"] for tag in tags] == ["project", "sagequeue:job", "sagequeue:attempt"]
    changed = {name for name in sent.keys() | request.keys() if sent.get(name) != request.get(name)}
    assert changed == {"ProcessingJobName", "Tags"}


@pytest.mark.parametrize(
    ("changes", "field", "remedy"),
    [
        ({"kind": "ml.g5.xlarge"}, "ProcessingResources.ClusterConfig.InstanceType", "Use one of ml.m5.large, or ask"),
        ({"instances": 5}, "ProcessingResources.ClusterConfig.InstanceCount", "Request at most 4"),
        (
            {"ProcessingResources": cluster(InstancePreferences=[{"InstanceType": "ml.m5.large"}])},
            "ProcessingResources.ClusterConfig.InstancePreferences",
            "Set InstanceType",
        ),
        (
            {"ProcessingResources": cluster(SelectedInstanceType="ml.m5.large")},
            "ProcessingResources.ClusterConfig.SelectedInstanceType",
            "Set InstanceType",
        ),
        (
            {"ProcessingResources": {"ClusterConfig": {"InstanceCount": 1, "VolumeSizeInGB": 1}}},
            "ProcessingResources.ClusterConfig.InstanceType",
            "Add InstanceType",
        ),
        (
            {"ProcessingInputs": [{"InputName": "rows", "DatasetDefinition": {"LocalPath": "/opt/ml/rows"}}]},
            "ProcessingInputs[0].DatasetDefinition",
            "Export the data to S3",
        ),
        ({"TrainingJobName": "both"}, "TrainingJobName", ""),
        ({"RoleArn": "role"}, "RoleArn", ""),
    ],
)
def test_refusals_name_the_member_and_the_fix(changes: dict[str, Any], field: str, remedy: str) -> None:
    refused = refusal(a_processing_request(**changes))
    assert refused.field == field
    assert remedy in (refused.remedy or "")


@pytest.mark.parametrize(
    "options",
    [
        {"instances": {"min": 1, "max": 2}},
        {"checkpoint_interval": 60},
        {"alternatives": [{"request": {}}]},
        {"restart_tuning": True},
    ],
)
def test_options_of_other_kinds_are_refused(options: dict[str, Any]) -> None:
    (name,) = options
    assert refusal(a_processing_request(), **options).field == f"options.{name}"


def test_a_training_plan_cannot_take_the_line_of_processing_jobs() -> None:
    request = {
        "TrainingJobName": "resnet",
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "RoleArn": ROLE,
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
        "ResourceConfig": {
            "InstanceType": "ml.m5.large",
            "InstanceCount": 1,
            "VolumeSizeInGB": 1,
            "TrainingPlanArn": "arn:aws:sagemaker:us-east-1:000000000000:training-plan/processing",
        },
        "StoppingCondition": {"MaxRuntimeInSeconds": 60},
    }
    assert refusal(request).field == "ResourceConfig.TrainingPlanArn"


def verdict(request: dict[str, Any], *rules: Any) -> dict[str, str]:
    found = Verdict()
    for part in judged_requests(request):
        subject = Subject("features", part.request, "ada")
        found = found.also(Rules(rules=tuple(rules)).check(subject, NOW), part.field_of)
    return {violation.field: violation.rule for violation in found.enforced}


def test_rules_judge_it_and_name_its_own_members() -> None:
    outputs = [output("first", "s3://team/a"), output("second", "s3://public/b")]
    request = a_processing_request(instances=4, ProcessingOutputConfig={"Outputs": outputs})
    rules = (
        InstancesPerJob(name="size", most=2),
        Images(name="images", allowed=("trusted/*",)),
        OutputPrefixes(name="outputs", allowed=("s3://team",)),
        Vpc(name="vpc"),
    )
    assert verdict(request, *rules) == {
        "ProcessingResources.ClusterConfig.InstanceCount": "size",
        "AppSpecification.ImageUri": "images",
        "NetworkConfig.VpcConfig": "vpc",
        "ProcessingOutputConfig.Outputs[1].S3Output.S3Uri": "outputs",
    }


def test_a_job_that_keeps_the_rules_breaks_none() -> None:
    network = {"VpcConfig": {"Subnets": ["subnet-1"], "SecurityGroupIds": ["sg-1"]}}
    request = a_processing_request(NetworkConfig=network)
    assert verdict(request, InstancesPerJob(name="size", most=2), Vpc(name="vpc", subnets=("subnet-*",))) == {}


def test_its_role_is_checked() -> None:
    assert [*roles_in(a_processing_request())] == [("RoleArn", ROLE)]


def test_strangers_see_its_instances_and_neither_arguments_nor_environment() -> None:
    request = a_processing_request(Environment={"TOKEN": "hunter2-hunter2"})
    request["AppSpecification"]["ContainerArguments"] = ["--password", "hunter2-hunter2"]
    shown = shown_to_strangers(request)
    assert shown["ProcessingResources"] == cluster()
    assert "hunter2" not in str(shown)
