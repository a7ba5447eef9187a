"""Draws the jobs of a soak: random priority, instances and duration; some fail."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from support.deployed.container_requests import body

#: So small that jobs always wait.
BUDGET = {"ml.m5.large": 4, "ml.g5.xlarge": 2}
_WIDTHS = {"ml.m5.large": (1, 1, 1, 2, 3), "ml.g5.xlarge": (1, 1, 2)}
_PRIORITIES = 10
#: Hundreds of jobs wait, but never thousands: ministack reads all waiting jobs for each page.
_WAITING_JOBS = 300
_TOGETHER = 100


@dataclass(frozen=True, slots=True)
class JobRequest:
    name: str
    priority: int
    kind: str
    instances: int
    seconds: float
    exit_code: int
    times: int  # how often it is submitted
    gives_up_on: str  # prefix of the names of older jobs to cancel now; mostly empty

    @property
    def body(self) -> dict[str, Any]:
        command = f"sleep {self.seconds}; exit {self.exit_code}"
        request = body(self.name, command, priority=self.priority, instances=self.instances)
        request["ResourceConfig"]["InstanceType"] = self.kind
        return request


def job_requests(count: int, random: Random) -> Iterator[JobRequest]:
    for number in range(count):
        kind = random.choice(tuple(BUDGET))
        # Each urgent job outranks all before it: without them, only the highest priority would run.
        is_urgent = random.random() < 0.1
        yield JobRequest(
            name=f"soak-{number:04}",
            priority=_PRIORITIES + number if is_urgent else random.randrange(_PRIORITIES),
            kind=kind,
            instances=random.choice(_WIDTHS[kind]),
            seconds=round(random.uniform(0.2, 5), 1),
            exit_code=int(random.random() < 0.1),
            times=2 if random.random() < 0.1 else 1,
            gives_up_on=_gives_up_on(number),
        )


def _gives_up_on(number: int) -> str:
    if number % _TOGETHER or number < _WAITING_JOBS:
        return ""
    return f"soak-{(number - _WAITING_JOBS) // _TOGETHER:02}"
