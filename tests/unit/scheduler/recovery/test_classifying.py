"""SageMaker's FailureReason, as people met it, and the class it belongs to."""

import re

import pytest

from scheduler.domain.failure import FailureClass as F
from scheduler.policy.recovery.classifying import classify
from scheduler.policy.recovery.settings import FailurePattern

CAPACITY = "Unable to provision requested ML compute capacity"


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        (f"CapacityError: {CAPACITY}. Please retry using a different ML instance type.", F.CAPACITY),
        (f"{CAPACITY} due to InsufficientInstanceCapacity error. Please retry after some time.", F.CAPACITY),
        ("InternalServerError: We encountered an internal error. Please try again.", F.INTERNAL),
        ("InternalServerError: We encountered an internal error.  Please try again.", F.INTERNAL),
        ("ClientError: Please use an instance type with more memory, or reduce the size of job data.", F.OUT_OF_MEMORY),
        ("AlgorithmError: , exit code: 137", F.OUT_OF_MEMORY),
        ("AlgorithmError: ExecuteUserScriptError:\ntorch.OutOfMemoryError: CUDA out of memory.", F.OUT_OF_MEMORY),
        ("AlgorithmError: ExecuteUserScriptError:\nRuntimeError: uncorrectable ECC error encountered", F.HARDWARE),
        ("AlgorithmError: ncclSystemError: System call failed", F.HARDWARE),
        ("ClientError: Data download failed:NoSuchKey (404)", F.DATA),
        ("ClientError: Artifact upload failed:Insufficient disk space", F.USER),
        ("AlgorithmError: ExecuteUserScriptError:\nExitCode 1", F.USER),
        ("AlgorithmError: the script wrote InternalServerError: itself", F.USER),
        ("Something that nobody has seen", F.UNKNOWN),
        ("", F.UNKNOWN),
    ],
)
def test_the_class_of_a_failure(text: str, failure: F) -> None:
    assert classify(text) is failure


def test_the_operators_patterns_come_first() -> None:
    flaky = FailurePattern(failure=F.HARDWARE, pattern=re.compile("ExitCode 1"))
    assert classify("AlgorithmError: ExecuteUserScriptError:\nExitCode 1", [flaky]) is F.HARDWARE
