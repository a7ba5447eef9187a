"""What a user chooses for a job beyond SageMaker's own request."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JobOptions:
    priority: int = 0  # higher runs first
    hold: bool = False  # wait until somebody releases it
    never_preempt: bool = False
    checkpoint_interval: int | None = None  # seconds between the checkpoints that the user's script writes
    idle_exempt: bool = False  # its GPUs may be idle
