"""Draws when programs of a random world write log lines, and how they use CPUs."""

from datetime import datetime
from enum import Enum, auto
from random import Random

from local_sagemaker.state_machine.job import Secondary, TrainingJob, Transition
from local_sagemaker.state_machine.machine import StateMachine
from support.simulation.submissions.gpu_usage import GPU_TYPES, instances_training

#: Seconds from the start of training to the last line of a program that hangs.
LAST_LINE_AFTER = 20.0
#: The default of `cpu_percent`, which no world changes.
CPU_PERCENT = 5
#: Seconds between two lines: the longest pauses, as for an evaluation, are almost as long as the shortest window.
_STEADY, _WITH_PAUSES = 45.0, 285.0


#: Losses in a line, as many as any drawn rule requires.
_LOSSES_PER_LINE = 3


class Writing(Enum):
    STEADY = auto()
    WITH_PAUSES = auto()
    HANGS = auto()  # it writes a line at first, and none later
    NOTHING = auto()


def writing_of(seed: int, job: str) -> Writing:
    """Draws how a job's program writes lines, the same in each attempt."""
    random = Random(f"{seed}/{job}/lines")  # noqa: S311 - logs, not secrets
    return random.choice([Writing.STEADY, Writing.WITH_PAUSES, Writing.HANGS, Writing.HANGS, Writing.NOTHING])


def uses_cpus(seed: int, job: str) -> bool | None:
    """Draws whether a job's hosts use their CPUs; None: they have no metrics."""
    return Random(f"{seed}/{job}/cpus").choice([True, True, False, False, None])  # noqa: S311 - metrics, not secrets


def hangs_on_cpus(seed: int, job: str) -> bool:
    return writing_of(seed, job) is Writing.HANGS and uses_cpus(seed, job) is False


def measured_cpus(seed: int, world: StateMachine, host: str, at: datetime) -> float | None:
    """Returns the CPU usage that CloudWatch has for a host, or None while it does not train."""
    attempt, _, number = host.partition("/algo-")
    instances = instances_training(world, attempt, at)
    if int(number) > instances.total():
        return None
    if not GPU_TYPES.isdisjoint(instances):
        return 40.0  # a program that waits for a GPU keeps a part of a core busy
    return {True: 150.0, False: 2.0, None: None}[uses_cpus(seed, job_of(attempt))]


def last_line(seed: int, world: StateMachine, attempt: str, now: float) -> float | None:
    """Returns when the attempt's program last wrote a line; None if it has written none."""
    job = world.jobs.get(attempt)
    started = [known for known in job.transitions if known.status is Secondary.TRAINING] if job else []
    writing = writing_of(seed, job_of(attempt))
    if not started or writing is Writing.NOTHING:
        return None
    ran = _duration(started[-1], now)
    if writing is Writing.HANGS:
        return started[-1].start + min(ran, LAST_LINE_AFTER)
    every = _STEADY if writing is Writing.STEADY else _WITH_PAUSES
    return started[-1].start + ran // every * every


def has_losses(seed: int) -> bool:
    """Returns whether the world watches losses; an eighth of all worlds do."""
    return Random(f"has losses {seed}").random() < 0.125  # noqa: S311 - worlds, not secrets


def is_nan(seed: int, job: str) -> bool:
    """Draws whether a job's losses are NaN, in each attempt from its first line."""
    return Random(f"{seed}/{job}/losses").random() < 0.5  # noqa: S311 - logs, not secrets


def line_with_losses(seed: int, attempt: str) -> str:
    loss = "nan" if is_nan(seed, job_of(attempt)) else "0.25"
    return f"step {_LOSSES_PER_LINE * f' loss={loss}'}"


def job_of(attempt: str) -> str:
    return attempt.rsplit("-sq-", 1)[0]


def trained_for(job: TrainingJob, now: float) -> float:
    """Returns how long the training job's program has run since it last started."""
    started = [known for known in job.transitions if known.status is Secondary.TRAINING]
    return _duration(started[-1], now) if started else 0.0


def _duration(transition: Transition, now: float) -> float:
    return (now if transition.end is None else transition.end) - transition.start
