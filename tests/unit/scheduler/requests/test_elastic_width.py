"""The option `instances`: the choices that it makes, and its refusals."""

from typing import Any

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, InstanceRange
from scheduler.core.jobs.job import Job
from scheduler.core.requests.alternatives import alternatives_from, expand_alternatives
from scheduler.core.requests.elastic_width import hyperparameters_from
from scheduler.core.requests.job_building import build_job, with_choices
from scheduler.core.requests.options import read_options
from scheduler.errors.refusals import BadRequest
from support.builders.jobs import NOON

BUDGET = Budget.of({"ml.m5.large": 8})
SMALL_BATCHES = {"2": {"batch-size": "16"}}


def a_request(count: int = 8, tag: str = "", **changes: Any) -> dict[str, Any]:
    return {
        "TrainingJobName": "resnet",
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "RoleArn": "arn:aws:iam::000000000000:role/SageMakerRole",
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": count, "VolumeSizeInGB": 1},
        "HyperParameters": {"batch-size": "64", "epochs": "3"},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
        "Tags": [{"Key": "queue:instances", "Value": tag}] if tag else [],
    } | changes


def submit(request: dict[str, Any], **beside: Any) -> tuple[Job, list[dict[str, Any]]]:
    """Returns the job, and the request of each width."""
    options = read_options(request, beside)
    job = build_job(request, options, owner="ada", budget=BUDGET, now=NOON)
    requests = expand_alternatives(request, options.alternatives)
    return with_choices(job, requests, options.alternatives, BUDGET), [dict(body) for body in requests]


@pytest.mark.parametrize("tag", ["2-8/3", " 2-8/3 "])
def test_the_widths_are_choices_the_largest_first(tag: str) -> None:
    job, requests = submit(a_request(tag=tag))
    assert job.options.instances == InstanceRange(2, 8, 3)
    assert [choice.demand for choice in job.choices] == [Demand.of({"ml.m5.large": count}) for count in (8, 5, 2)]
    assert [body["ResourceConfig"]["InstanceCount"] for body in requests] == [8, 5, 2]
    assert requests[2] == a_request(2, tag=tag)


def test_the_step_is_one_unless_given() -> None:
    job, _ = submit(a_request(4), instances={"min": 2, "max": 4})
    assert [choice.demand["ml.m5.large"] for choice in job.choices] == [4, 3, 2]


def test_each_width_may_have_its_own_hyperparameters() -> None:
    widths = {"min": 2, "max": 8, "step": 3, "hyperparameters": SMALL_BATCHES}
    _, requests = submit(a_request(), instances=widths)
    assert [body["HyperParameters"]["batch-size"] for body in requests] == ["64", "64", "16"]
    assert {body["HyperParameters"]["epochs"] for body in requests} == {"3"}
    known = hyperparameters_from(alternatives_from(requests, [0, 0]))
    assert known == SMALL_BATCHES


def test_a_tag_and_an_option_may_agree() -> None:
    request = a_request(tag="2-8/3")
    assert submit(request, instances={"min": 2, "max": 8, "step": 3}) == submit(request)
    with pytest.raises(BadRequest, match="is 2-8/6, but the tag queue:instances is 2-8/3"):
        submit(request, instances={"min": 2, "max": 8, "step": 6})


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ("8", "cannot be '8'"),
        ("8-2", "is 8, with a max of 2"),
        ("0-8", "is 0, with a max of 8"),
        ("8-8", "is 8, with a max of 8"),
        ("2-8/4", "is 4, from 2 to 8"),
        ("2-8/0", "is 0, from 2 to 8"),
        ("2-8", "which gives 7 instance counts"),
    ],
)
def test_a_wrong_tag_is_refused_at_its_value(tag: str, message: str) -> None:
    with pytest.raises(BadRequest, match=message) as refusal:
        submit(a_request(tag=tag))
    assert refusal.value.field == "Tags[0].Value"
    assert refusal.value.remedy


def test_too_many_widths_are_refused_with_a_step_that_is_enough() -> None:
    with pytest.raises(BadRequest) as refusal:
        submit(a_request(tag="2-8"))
    assert refusal.value.remedy == "Use a larger step, such as 2: a job may have at most 5 instance counts."
    assert len(submit(a_request(tag="2-8/2"))[0].choices) == 4


@pytest.mark.parametrize(
    ("changes", "beside", "field"),
    [
        ({}, {"alternatives": [{"request": {"EnableManagedSpotTraining": True}}]}, "options.alternatives"),
        ({"count": 4}, {}, "ResourceConfig.InstanceCount"),
        ({"ResourceConfig": {"InstanceGroups": [], "VolumeSizeInGB": 1}}, {}, "ResourceConfig.InstanceCount"),
        ({"count": 16, "tag": "8-16/8"}, {}, "ResourceConfig.InstanceCount"),  # the budget has 8
    ],
)
def test_a_range_that_does_not_fit_the_request_is_refused(
    changes: dict[str, Any], beside: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadRequest) as refusal:
        submit(a_request(**{"tag": "2-8/2"} | changes), **beside)
    assert refusal.value.field == field
    assert refusal.value.remedy


def test_hyperparameters_of_a_width_that_the_job_does_not_have_are_refused() -> None:
    widths = {"min": 2, "max": 8, "step": 3, "hyperparameters": {"8": {"batch-size": "16"}}}
    with pytest.raises(BadRequest, match="has '8'") as refusal:
        submit(a_request(), instances=widths)
    assert refusal.value.field == "options.instances.hyperparameters"
    assert refusal.value.remedy == "Use 5, 2. The request itself sets those for 8 instances."
