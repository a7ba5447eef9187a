"""The remedy for a member that SageMaker refuses names the arguments of the SDKs that set it."""

import inspect
import re
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.request_model import refuse_invalid
from scheduler.core.requests.sdk_arguments import ARGUMENTS, remedy_for
from scheduler.core.requests.service_rules.table import refuse_contradictions
from scheduler.errors.refusals import BadRequest
from unit.sagequeue.builders.jobs import a_request

RESOURCES = a_request()["ResourceConfig"]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        (
            {"ResourceConfig": RESOURCES | {"InstanceCount": -1}},
            "instance_count (v2) or Compute(instance_count=…) (v3)",
        ),
        ({"ResourceConfig": RESOURCES | {"VolumeSizeInGB": "30"}}, "volume_size (v2) or Compute(volume_size_in_gb"),
        ({"StoppingCondition": {"MaxRuntimeInSeconds": 0}}, "max_run (v2) or StoppingCondition(max_runtime_in_seconds"),
        ({"Tags": [{"Key": "", "Value": "x"}]}, "tags (v2) or ModelTrainer(tags=…) (v3)"),
        ({"HyperParameters": {"epochs": 5}}, "hyperparameters (v2)"),
    ],
)
def test_the_argument_of_the_refused_member_is_named(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(BadRequest) as caught:
        refuse_invalid(a_request(**changes))
    assert named in caught.value.remedy


@pytest.mark.parametrize(
    ("changes", "remedy"),
    [
        (
            {"EnableManagedSpotTraining": True},
            "Set it to MaxRuntimeInSeconds or more, or turn EnableManagedSpotTraining off. In SageMaker's SDKs, "
            "StoppingCondition.MaxWaitTimeInSeconds is set by max_wait (v2) or "
            "StoppingCondition(max_wait_time_in_seconds=…) (v3).",
        ),
        (
            {"Tags": [{"Key": "aws:x", "Value": "x"}]},
            "Remove the tag, or rename it. In SageMaker's SDKs, Tags is set by tags (v2) or ModelTrainer(tags=…) (v3).",
        ),
        ({"ProfilerConfig": {"ProfilingIntervalInMilliseconds": 7}}, "Use one of these."),
    ],
)
def test_the_argument_of_a_member_that_contradicts_others_is_named(changes: dict[str, Any], remedy: str) -> None:
    with pytest.raises(BadRequest) as caught:
        refuse_contradictions(a_request(**changes))
    assert caught.value.remedy == remedy


def test_a_member_that_no_sdk_has_an_argument_for_is_left_to_the_api_reference() -> None:
    with pytest.raises(BadRequest) as caught:
        refuse_invalid(a_request(Nonsense=1))
    assert (
        caught.value.remedy
        == "Remove it. Send the body of a Create request, as SageMaker's API reference describes it."
    )


def test_sdk_v2_has_the_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")
    from sagemaker.estimator import Estimator

    known = {*inspect.signature(Estimator).parameters, *inspect.signature(Estimator.fit).parameters}
    named = {word for v2, _ in ARGUMENTS.values() for word in re.findall(r"[a-z0-9_]+", v2.replace("fit(", ""))}
    assert named - known == set()


def test_the_longest_path_decides() -> None:
    assert "volume_kms_key " in remedy_for("ResourceConfig.VolumeKmsKeyId")
    assert "Compute(…)" in remedy_for("ResourceConfig")
    assert "tags" in remedy_for("Tags[3].Value")
