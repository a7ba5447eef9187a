"""Draws how jobs of a random world use their GPUs."""

from collections import Counter
from datetime import datetime
from enum import Enum, auto
from random import Random

from local_sagemaker.state_machine.capacity import demand
from local_sagemaker.state_machine.job import Secondary, TrainingJob
from local_sagemaker.state_machine.machine import StateMachine

GPU_TYPES = {"ml.g5.xlarge"}


class GpuUse(Enum):
    BUSY = auto()
    SLOW = auto()  # busier than idle GPUs, and less busy than every drawn minimum utilisation
    IDLE = auto()
    SILENT = auto()  # no metrics


def use_of(seed: int, job: str) -> GpuUse:
    """Draws the usage of a job, the same in each attempt."""
    random = Random(f"{seed}/{job}/gpus")  # noqa: S311 - metrics, not secrets
    use = random.choice([GpuUse.BUSY, GpuUse.IDLE, GpuUse.IDLE, GpuUse.SILENT])
    is_slow = Random(f"{seed}/{job}/slow").random() < 0.7  # noqa: S311 - metrics, not secrets
    return GpuUse.SLOW if use is GpuUse.BUSY and is_slow else use


def use_of_host(seed: int, host: str) -> GpuUse:
    """Draws the usage of a host, which occasionally differs from that of its job's first host."""
    attempt, _, number = host.partition("/algo-")
    job = attempt.rsplit("-sq-", 1)[0]
    random = Random(f"{seed}/{job}/{number}")  # noqa: S311 - metrics, not secrets
    own = random.choice([GpuUse.BUSY, GpuUse.IDLE, GpuUse.SILENT])
    return own if number != "1" and random.random() < 0.5 else use_of(seed, job)


def measured(seed: int, world: StateMachine, host: str, at: datetime) -> float | None:
    """Returns the usage that CloudWatch has for a host, or None while it does not train or has no GPUs."""
    attempt, _, number = host.partition("/algo-")
    instances = instances_training(world, attempt, at)
    if int(number) > instances.total() or GPU_TYPES.isdisjoint(instances):
        return None
    return {GpuUse.BUSY: 80.0, GpuUse.SLOW: 30.0, GpuUse.IDLE: 0.0, GpuUse.SILENT: None}[use_of_host(seed, host)]


def instances_training(world: StateMachine, attempt: str, at: datetime) -> Counter[str]:
    """Returns the attempt's instances, or none while it does not train."""
    job = world.jobs.get(attempt)
    return demand(job.resolved_request) if job and _trains(job, at.timestamp()) else Counter()


def _trains(job: TrainingJob, at: float) -> bool:
    return any(
        transition.status is Secondary.TRAINING
        and transition.start <= at
        and (transition.end is None or at < transition.end)
        for transition in job.transitions
    )
