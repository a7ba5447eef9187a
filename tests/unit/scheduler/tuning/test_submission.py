"""Requests for tuning jobs that the queue accepts, and its messages for those it refuses."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.request_model import refuse_invalid
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.jobs.work.tuning import TuningLimits, TuningProgress
from scheduler.core.requests.alternatives import expand_alternatives
from scheduler.core.requests.job_building import build_job, with_choices
from scheduler.core.requests.judged_requests import judged_requests
from scheduler.core.requests.options import read_options
from scheduler.core.requests.redaction import redacted, shown_to_strangers
from scheduler.core.requests.tuning.reading import running_choice
from scheduler.errors.refusals import BadRequest
from support.builders.tuning_requests import a_definition, a_tuning_request

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BUDGET = Budget.of({"ml.m5.large": 20, "ml.g5.xlarge": 8})
GPU = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1}


def submit(request: dict[str, Any], budget: Budget = BUDGET, **beside: Any) -> Job:
    refuse_invalid(request)
    return build_job(request, read_options(request, beside), owner="ada", budget=budget, now=NOW)


def refusal(request: dict[str, Any], **beside: Any) -> BadRequest:
    with pytest.raises(BadRequest) as caught:
        submit(request, **beside)
    return caught.value


def test_a_tuning_job_demands_the_instances_of_all_children_at_a_time() -> None:
    job = submit(a_tuning_request("sweep", trials=9, parallel=3))
    assert (job.name, job.spec.kind, job.spec.demand) == ("sweep", WorkKind.TUNING, Demand.of({"ml.m5.large": 3}))
    assert job.spec.tuning == TuningLimits(parallel=3, most_trials=9)
    assert job.spec.max_runtime == 3 * 3600  # three rounds of three


def test_the_demand_is_the_worst_case_over_definitions_and_types() -> None:
    either = {"InstanceConfigs": [GPU, {**GPU, "InstanceType": "ml.m5.large", "InstanceCount": 2}]}
    flexible = a_definition(HyperParameterTuningResourceConfig=either, DefinitionName="flexible")
    del flexible["ResourceConfig"]
    request = a_tuning_request(parallel=2, TrainingJobDefinitions=[a_definition(DefinitionName="plain"), flexible])
    del request["TrainingJobDefinition"]
    job = submit(request, never_preempt=True)
    assert job.spec.demand == Demand.of({"ml.m5.large": 4, "ml.g5.xlarge": 2})


def test_a_limit_of_the_whole_tuning_job_counts_as_its_run_time() -> None:
    assert submit(a_tuning_request(limits={"MaxRuntimeInSeconds": 600})).spec.max_runtime == 600


def test_rules_see_the_instances_of_all_children() -> None:
    (part,) = judged_requests(a_tuning_request(parallel=3))
    assert part.path == "TrainingJobDefinition."
    assert part.request["ResourceConfig"]["InstanceCount"] == 3


@pytest.mark.parametrize(
    ("changes", "field", "problem"),
    [
        ({"config": {"Strategy": "Hyperband"}}, "HyperParameterTuningJobConfig.Strategy", "is Hyperband"),
        ({"config": {"Strategy": "Grid"}}, "HyperParameterTuningJobConfig.Strategy", "is Grid"),
        (
            {"trials": 495, "parallel": 2},
            "HyperParameterTuningJobConfig.ResourceLimits.MaxNumberOfTrainingJobs",
            "is 495; with up to 10 trials lost to preemptions, it exceeds 500",
        ),
        (
            {
                "WarmStartConfig": {
                    "ParentHyperParameterTuningJobs": [{"HyperParameterTuningJobName": "first"}],
                    "WarmStartType": "TransferLearning",
                }
            },
            "WarmStartConfig.WarmStartType",
            "is TransferLearning",
        ),
    ],
)
def test_a_tuning_job_that_no_warm_start_can_continue_needs_a_choice(
    changes: dict[str, Any], field: str, problem: str
) -> None:
    refused = refusal(a_tuning_request(**changes))
    assert (refused.code, refused.field) == ("unsupported", field)
    assert problem in str(refused)
    assert "Set never_preempt. Or set restart_tuning" in (refused.remedy or "")
    for choice in ("never_preempt", "restart_tuning"):
        options: dict[str, Any] = {choice: True}
        job = submit(a_tuning_request(**changes), **options)
        assert job.spec.tuning is not None
        assert not job.spec.tuning.continues


def test_an_unlimited_number_of_trials_needs_a_choice() -> None:
    request = a_tuning_request()
    del request["HyperParameterTuningJobConfig"]["ResourceLimits"]["MaxNumberOfTrainingJobs"]
    assert refusal(request).field == "HyperParameterTuningJobConfig.ResourceLimits.MaxNumberOfTrainingJobs"
    assert submit(request, never_preempt=True).spec.max_runtime == 30 * 86_400


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (a_tuning_request("a" * 33), "HyperParameterTuningJobName"),
        ({**a_tuning_request(), "TrainingJobName": "both"}, "TrainingJobName"),
        (
            a_tuning_request(
                TrainingJobDefinition=a_definition(ResourceConfig={**GPU, "KeepAlivePeriodInSeconds": 60})
            ),
            "TrainingJobDefinition.ResourceConfig.KeepAlivePeriodInSeconds",
        ),
        (a_tuning_request(TrainingJobDefinitions=[a_definition()]), "TrainingJobDefinition"),
        (a_tuning_request(parallel=21, trials=42), "ResourceConfig.InstanceCount"),
    ],
)
def test_other_refusals_name_the_member(request_: dict[str, Any], field: str) -> None:
    assert refusal(request_).field == field


def test_a_tuning_job_needs_a_definition() -> None:
    request = a_tuning_request()
    del request["TrainingJobDefinition"]
    assert refusal(request).field == "TrainingJobDefinition"


@pytest.mark.parametrize(
    "options",
    [{"instances": {"min": 1, "max": 2}}, {"checkpoint_interval": 60}, {"alternatives": [{"request": {}}]}],
)
def test_options_of_training_jobs_are_refused(options: dict[str, Any]) -> None:
    (name,) = options
    assert refusal(a_tuning_request(), **options).field == f"options.{name}"


def widths(request: dict[str, Any], least: int) -> list[int]:
    options = read_options(request, {"min_parallel": least})
    requests = expand_alternatives(request, options.alternatives)
    job = with_choices(submit(request, min_parallel=least), requests, options.alternatives, BUDGET)
    for choice, sent in zip(job.each_choice, requests, strict=True):
        limits = sent["HyperParameterTuningJobConfig"]["ResourceLimits"]
        assert choice.spec.tuning is not None
        assert limits["MaxParallelTrainingJobs"] == choice.spec.tuning.parallel
        assert limits["MaxNumberOfTrainingJobs"] == choice.spec.tuning.most_trials
        assert choice.spec.demand == Demand.of({"ml.m5.large": choice.spec.tuning.parallel})
    return [choice.spec.demand["ml.m5.large"] for choice in job.each_choice]


@pytest.mark.parametrize(
    ("most", "least", "expected"),
    [(2, 1, [2, 1]), (4, 1, [4, 3, 2, 1]), (8, 2, [8, 7, 5, 4, 2]), (20, 1, [20, 16, 11, 6, 1]), (3, 3, [3])],
)
def test_a_tuning_job_may_start_with_fewer_trials_at_a_time(most: int, least: int, expected: list[int]) -> None:
    assert widths(a_tuning_request(trials=40, parallel=most), least) == expected


def test_more_trials_at_a_time_than_the_request_allows_are_refused() -> None:
    refused = refusal(a_tuning_request(parallel=2), min_parallel=3)
    assert (refused.field, str(refused)) == (
        "options.min_parallel",
        "options.min_parallel is 3, but MaxParallelTrainingJobs is 2",
    )


def test_a_tag_may_set_the_fewest_trials_at_a_time() -> None:
    request = a_tuning_request(Tags=[{"Key": "queue:min-parallel", "Value": "1"}])
    assert read_options(request, {}).of_job.min_parallel == 1


def test_an_attempt_runs_the_narrowest_choice_that_allows_its_trials() -> None:
    request = a_tuning_request(trials=40, parallel=8)
    options = read_options(request, {"min_parallel": 2})
    requests = expand_alternatives(request, options.alternatives)
    job = with_choices(submit(request, min_parallel=2), requests, options.alternatives, BUDGET)
    found = [running_choice(job, a_tuning_request(parallel=count)).spec for count in (8, 6, 4, 1)]
    assert [spec.tuning.parallel for spec in found if spec.tuning] == [8, 7, 4, 2]


def test_the_last_attempt_that_can_be_a_parent_is_not_preempted() -> None:
    job = submit(a_tuning_request())
    four, five = (TuningProgress(tuple(f"sweep-sq-{n}" for n in range(1, count + 1))) for count in (4, 5))
    assert not replace(job, status=replace(job.status, tuning_progress=four)).is_never_preempted
    assert replace(job, status=replace(job.status, tuning_progress=five)).is_never_preempted


def test_strangers_see_no_values_of_a_tuning_job() -> None:
    request = a_tuning_request(TrainingJobDefinition=a_definition(StaticHyperParameters={"token": "hunter2-hunter2"}))
    assert "hunter2" not in str(shown_to_strangers(request))
    assert redacted("bad value hunter2-hunter2", request) == "bad value …"
