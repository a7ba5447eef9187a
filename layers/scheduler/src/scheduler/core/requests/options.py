"""What a user chooses for a job beyond SageMaker's own request."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen


@frozen
class Alternative:
    """Another way to run the job, if the ones before it cannot be had."""

    request: Mapping[str, Any]  # the members of the request that differ
    wait_for_better: int = 0  # seconds


@frozen
class JobOptions:
    priority: int = 0  # higher runs first
    hold: bool = False  # wait until somebody releases it
    never_preempt: bool = False
    checkpoint_interval: int | None = None  # seconds between the checkpoints that the user's script writes
    idle_exempt: bool = False  # its GPUs may be idle
    alternatives: tuple[Alternative, ...] = ()  # to the request, the better ones first
