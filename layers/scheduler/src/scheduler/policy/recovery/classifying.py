"""Sorts SageMaker's FailureReason into classes. Texts as people met them (aws-facts 2.28); the first that fits counts.

An AlgorithmError quotes the end of the script's own errors, so what the script died of is often told there.
"""

import re
from collections.abc import Iterable

from scheduler.domain.failure import FailureClass
from scheduler.policy.recovery.settings import FailurePattern

_TABLE = (
    (FailureClass.CAPACITY, r"^CapacityError|Unable to provision requested ML compute|InsufficientInstanceCapacity"),
    (FailureClass.INTERNAL, r"^InternalServerError"),
    (FailureClass.OUT_OF_MEMORY, r"(?i)out of memory|MemoryError|exit ?code:? 137|type with more memory"),
    (
        FailureClass.HARDWARE,
        r"uncorrectable ECC|\bXid\b|fallen off the bus|nccl(System|Remote)Error|NCCL timeout",
    ),
    (FailureClass.DATA, r"Data download failed|No S3 objects found|NoSuchKey|NoSuchBucket"),
    (FailureClass.USER, r"^(ClientError|AlgorithmError)"),
)
_PATTERNS = tuple(FailurePattern(failure=failure, pattern=re.compile(pattern)) for failure, pattern in _TABLE)


def classify(failure_reason: str, further: Iterable[FailurePattern] = ()) -> FailureClass:
    """`further` patterns, from the rules document, are looked at first."""
    fitting = (one.failure for one in (*further, *_PATTERNS) if one.pattern.search(failure_reason))
    return next(fitting, FailureClass.UNKNOWN)
