"""The placeholders for models of predecessors in a request."""

from typing import Any

import pytest

from scheduler.core.jobs.start_conditions import JobDependencies
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.requests.predecessor_models import (
    models_used,
    refuse_unusable_models,
    require_models,
    with_example_models,
    with_models,
)
from scheduler.errors.refusals import BadRequest
from support.builders.jobs import a_job

MODEL = "s3://bucket/prep-sq-1/output/model.tar.gz"
AFTER_PREP = JobDependencies(after_ok=("prep",))


def reading(uri: str) -> dict[str, Any]:
    return {"InputDataConfig": [{"ChannelName": "model", "DataSource": {"S3DataSource": {"S3Uri": uri}}}]}


@pytest.mark.parametrize(
    "request_",
    [
        reading("${jobs.prep.model}"),
        {"HyperParameters": {"model": '"${jobs.prep.model}"'}},
        {"StaticHyperParameters": {"model": "${jobs.prep.model}"}},
        {"AlgorithmSpecification": {"ContainerArguments": ["--model=${jobs.prep.model}"]}},
        {"AppSpecification": {"ContainerEntrypoint": ["${jobs.prep.model}"]}},
        {"ProcessingInputs": [{"InputName": "model", "S3Input": {"S3Uri": "${jobs.prep.model}"}}]},
        {"TrainingJobDefinitions": [reading("${jobs.prep.model}")]},
    ],
    ids=lambda request: next(iter(request)),
)
def test_a_placeholder_is_filled_where_programs_read_it(request_: dict[str, Any]) -> None:
    assert models_used([request_], AFTER_PREP) == ("prep",)
    job = a_job("train", models=(("prep", MODEL),))
    text = str(request_)
    assert str(with_models(request_, job)) == text.replace("${jobs.prep.model}", MODEL)
    assert str(request_) == text
    assert "${" not in str(with_example_models(request_))


def test_each_model_is_named_once_in_all_choices_of_a_job() -> None:
    requests = [{"Environment": {"A": "${jobs.b.model} ${jobs.a.model}"}}, {"Environment": {"A": "${jobs.a.model}"}}]
    assert models_used(requests, JobDependencies(after_ok=("a", "b", "c"))) == ("b", "a")


@pytest.mark.parametrize(
    ("request_", "field", "problem"),
    [
        ({"RoleArn": "${jobs.prep.model}"}, "RoleArn", "cannot have the placeholder"),
        ({"CheckpointConfig": {"S3Uri": "${jobs.prep.model}"}}, "CheckpointConfig.S3Uri", "cannot have the"),
        ({"Environment": {"A": "${jobs.prep.metrics}"}}, "Environment.A", "has the placeholder ${jobs.prep.metrics}"),
        ({"Environment": {"A": "${jobs.other.model}"}}, "Environment.A", "the job does not wait for other"),
    ],
)
def test_a_wrong_placeholder_is_refused(request_: dict[str, Any], field: str, problem: str) -> None:
    with pytest.raises(BadRequest, match=field) as refusal:
        models_used([request_], AFTER_PREP)
    assert (refusal.value.field, problem in refusal.value.message) == (field, True)


def test_arrays_processing_jobs_and_hidden_results_are_refused() -> None:
    uses = JobDependencies(after_ok=("prep",), models=("prep",))
    with pytest.raises(BadRequest, match="an array"):
        refuse_unusable_models(uses, {}, lambda _: True)
    with pytest.raises(BadRequest, match="a processing job"):
        refuse_unusable_models(uses, {"prep": a_job("prep", kind=WorkKind.PROCESSING)}, lambda _: True)
    with pytest.raises(BadRequest, match="another owner"):
        refuse_unusable_models(uses, {"prep": a_job("prep")}, lambda _: False)
    refuse_unusable_models(uses, {"prep": a_job("prep")}, lambda _: True)


def test_a_request_without_its_models_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Environment\.A lacks the model of a predecessor"):
        require_models({"Environment": {"A": "${jobs.prep.model}"}})
