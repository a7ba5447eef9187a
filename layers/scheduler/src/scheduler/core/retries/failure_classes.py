"""Sorts failures into classes: by SageMaker's FailureReason, and where that is unclear by the end of the log.

Texts as people met them (aws-facts 2.28); the first pattern that fits counts. An AlgorithmError quotes the end of the
script's own errors, so what the script died of is often told there, in the same words as in its log.
"""

import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from scheduler.core.jobs.attempt import FailureClass
from scheduler.core.retries.retry_policy import FailurePattern

# Memory and data come before hardware: the hosts that go on without one that died complain of NCCL.
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
_OF_SAGEMAKER = (
    (FailureClass.CAPACITY, r"^CapacityError|Unable to provision requested ML compute|InsufficientInstanceCapacity"),
    (FailureClass.INTERNAL, r"^InternalServerError"),
    *_OF_SCRIPTS,
    (FailureClass.USER, r"^ClientError"),
)


def _patterns(table: Iterable[tuple[FailureClass, str]]) -> tuple[FailurePattern, ...]:
    return tuple(FailurePattern(failure=failure, pattern=re.compile(pattern)) for failure, pattern in table)


_IN_REASON = _patterns(_OF_SAGEMAKER)
_IN_LOG = _patterns(_OF_SCRIPTS)


@frozen
class Diagnosis:
    failure: FailureClass
    by_log: bool = False


def needs_log(failure_reason: str, further: Sequence[FailurePattern] = ()) -> bool:
    """Whether only the log can tell: SageMaker says no more than that the script failed, or what nobody knows."""
    return _first((*further, *_IN_REASON), (failure_reason,)) is None


def diagnose(failure_reason: str, log: Sequence[str] = (), further: Sequence[FailurePattern] = ()) -> Diagnosis:
    """`further` patterns, from the rules document, are looked at first; `log` is the end of it, if it was read."""
    if told := _first((*further, *_IN_REASON), (failure_reason,)):
        return Diagnosis(told)
    if told := _first((*further, *_IN_LOG), log):
        return Diagnosis(told, by_log=True)
    return Diagnosis(FailureClass.USER if failure_reason.startswith("AlgorithmError") else FailureClass.UNKNOWN)


def _first(patterns: Iterable[FailurePattern], texts: Sequence[str]) -> FailureClass | None:
    return next((one.failure for one in patterns if any(one.pattern.search(text) for text in texts)), None)
