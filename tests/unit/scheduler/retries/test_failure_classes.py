"""SageMaker's failure reasons and ends of logs, and the class of each."""

import re

import pytest

from scheduler.core.jobs.attempt import FailureClass as F
from scheduler.core.retries.failure_classes import Diagnosis, diagnose, needs_log
from scheduler.core.retries.retry_policy import FailurePattern

CAPACITY = "Unable to provision requested ML compute capacity"
SCRIPT = "AlgorithmError: ExecuteUserScriptError:\nExitCode 1"
NCCL = "[rank3]:[E] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE)"
FLAKY = FailurePattern(failure=F.HARDWARE, pattern=re.compile("ExitCode 1|EFA .* unreachable"))


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
        (SCRIPT, F.USER),
        ("AlgorithmError: the script wrote InternalServerError: itself", F.USER),
        ("AlgorithmError: InsufficientInstanceCapacity, exit code: 1", F.USER),
        (f"AlgorithmError: {CAPACITY}, exit code: 1", F.USER),
        ("ClientError: Artifact upload failed: s3://bucket/InsufficientInstanceCapacity", F.USER),
        ("Something that nobody has seen", F.UNKNOWN),
        ("", F.UNKNOWN),
    ],
)
def test_the_class_of_a_failure(text: str, failure: F) -> None:
    assert diagnose(text) == Diagnosis(failure)


@pytest.mark.parametrize("text", [SCRIPT, "Something that nobody has seen", ""])
def test_the_log_explains_a_failure_without_a_reason(text: str) -> None:
    assert needs_log(text)
    assert diagnose(text, ["epoch 3", NCCL]) == Diagnosis(F.HARDWARE, by_log=True)


@pytest.mark.parametrize(
    "text",
    ["CapacityError: none", "InternalServerError: once more", "ClientError: no such role", "AlgorithmError: NoSuchKey"],
)
def test_where_sagemaker_says_enough_the_log_changes_nothing(text: str) -> None:
    assert not needs_log(text)
    assert diagnose(text, [NCCL]) == diagnose(text)


@pytest.mark.parametrize(
    ("line", "failure"),
    [
        ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", F.OUT_OF_MEMORY),
        ("MemoryError", F.OUT_OF_MEMORY),
        ("RuntimeError: CUDA error: uncorrectable ECC error encountered", F.HARDWARE),
        ("Unable to determine the device handle for GPU 0000:00:1E.0: Unknown Error", F.HARDWARE),
        ("ncclRemoteError: A call failed possibly due to a network error or a remote process exiting", F.HARDWARE),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/opt/ml/input/data/train/a.csv'", F.DATA),
        ("botocore.errorfactory.NoSuchKey: An error occurred (NoSuchKey)", F.DATA),
    ],
)
def test_the_class_of_a_line_of_the_log(line: str, failure: F) -> None:
    assert diagnose(SCRIPT, ["epoch 3", line, "bye"]) == Diagnosis(failure, by_log=True)


def test_a_host_that_ran_out_of_memory_is_the_cause_and_not_those_that_miss_it() -> None:
    assert diagnose(SCRIPT, [NCCL, "CUDA out of memory."]).failure is F.OUT_OF_MEMORY


@pytest.mark.parametrize("line", ["InternalServerError: of another service", "CapacityError: mine", "ClientError: 404"])
def test_a_script_cannot_speak_in_sagemakers_name(line: str) -> None:
    assert diagnose(SCRIPT, [line]) == Diagnosis(F.USER)


def test_the_operators_patterns_come_first() -> None:
    assert diagnose(SCRIPT, ["MemoryError"], [FLAKY]) == Diagnosis(F.HARDWARE)
    assert not needs_log(SCRIPT, [FLAKY])


def test_the_operators_patterns_are_matched_with_the_log_too() -> None:
    reason = "AlgorithmError: ExitCode 2"
    assert diagnose(reason, ["MemoryError", "EFA 3 unreachable"], [FLAKY]) == Diagnosis(F.HARDWARE, by_log=True)
