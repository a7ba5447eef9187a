"""Children are recognised by SageMaker's description; their names only say where to look."""

import pytest

from scheduler.core.jobs.attempt import attempt_name
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.reconciliation.children import may_be_child, tuning_job_of


@pytest.mark.parametrize("job", ["sweep", "pytorch-training-261128-0145-abc"])
def test_a_child_has_the_name_of_its_attempt(job: str) -> None:
    assert may_be_child(f"{attempt_name(job, 'sq', 12, WorkKind.TUNING)}-007-0123abcd", "sq")


@pytest.mark.parametrize(
    "name", ["sweep-sq-1", "sweep-007-0123abcd", "sweep-sq-1-7-0123abcd", "sweep-sq-1-007-teacher"]
)
def test_other_names_are_no_children(name: str) -> None:
    assert not may_be_child(name, "sq")


@pytest.mark.parametrize("name", ["Sweep-sq-1", "sweep-sq-1"])
def test_the_description_names_the_tuning_job(name: str) -> None:
    arn = "arn:aws:sagemaker:us-east-1:123456789012:hyper-parameter-tuning-job/sweep-sq-1"  # in lower case
    child = {"TrainingJobName": f"{name}-007-0123abcd"}
    assert tuning_job_of({**child, "TuningJobArn": arn}) == name
    assert tuning_job_of(child) == ""
    assert tuning_job_of({"TrainingJobName": "other-sq-1-007-0123abcd", "TuningJobArn": arn}) == ""
