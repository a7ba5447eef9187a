"""Classifies failures by SageMaker's FailureReason or, if it is unclear, by the end of the log.

The patterns come from texts that users reported (aws-facts 2.28). The first match decides. An AlgorithmError often
quotes the end of the log.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scheduler.core.jobs.attempt import FailureClass
from scheduler.core.retries.retry_policy import FailurePattern

# Memory and data come before hardware: when one host fails, the other hosts report NCCL errors.
_OF_SCRIPTS = (
    (FailureClass.OUT_OF_MEMORY, r"(?i)out of memory|MemoryError|exit ?code:? 137|type with more memory"),
    (
        FailureClass.DATA,
        r"Data download failed|No S3 objects found|NoSuchKey|NoSuchBucket|No such file.*'/opt/ml/input",
    ),
    (
        FailureClass.HARDWARE,
        r"uncorrectable ECC|\bXid\b|fallen off the bus|Unable to determine the device handle"
        r"|nccl(System|Remote)Error|NCCL timeout|Watchdog caught collective operation timeout",
    ),
)
# Only the beginning is SageMaker's own text. The rest may quote a script or a path, and such text must not make the
# queue avoid an instance type for all jobs.
_OF_SAGEMAKER = (
    (FailureClass.CAPACITY, r"^(CapacityError|Unable to provision requested ML compute|InsufficientInstanceCapacity)"),
    (FailureClass.INTERNAL, r"^InternalServerError"),
    *_OF_SCRIPTS,
    (FailureClass.USER, r"^ClientError"),
)


def _patterns(table: Iterable[tuple[FailureClass, str]]) -> tuple[FailurePattern, ...]:
    return tuple(FailurePattern(failure=failure, pattern=re.compile(pattern)) for failure, pattern in table)


_IN_REASON = _patterns(_OF_SAGEMAKER)
_IN_LOG = _patterns(_OF_SCRIPTS)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    failure: FailureClass
    by_log: bool = False  # the log showed the class, not the FailureReason


def needs_log(failure_reason: str, custom_patterns: Sequence[FailurePattern] = ()) -> bool:
    """Returns whether only the log can show the class, because no pattern matches SageMaker's FailureReason."""
    return _first_match((*custom_patterns, *_IN_REASON), (failure_reason,)) is None


def diagnose(failure_reason: str, log: Sequence[str] = (), custom_patterns: Sequence[FailurePattern] = ()) -> Diagnosis:
    """Returns the class of a failure. The operators' `custom_patterns` come first; `log` holds the last log lines."""
    if failure := _first_match((*custom_patterns, *_IN_REASON), (failure_reason,)):
        return Diagnosis(failure)
    if failure := _first_match((*custom_patterns, *_IN_LOG), log):
        return Diagnosis(failure, by_log=True)
    return Diagnosis(FailureClass.USER if failure_reason.startswith("AlgorithmError") else FailureClass.UNKNOWN)


def _first_match(patterns: Iterable[FailurePattern], texts: Sequence[str]) -> FailureClass | None:
    return next((known.failure for known in patterns if any(known.pattern.search(text) for text in texts)), None)
