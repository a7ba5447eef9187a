"""What people ask for in a soak: training jobs of random priority, width and duration, some of which fail."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from support.deployed.container_requests import body

#: So little that jobs always wait for it.
BUDGET = {"ml.m5.large": 4, "ml.g5.xlarge": 2}
_WIDTHS = {"ml.m5.large": (1, 1, 1, 2, 3), "ml.g5.xlarge": (1, 1, 2)}
_PRIORITIES = 10
#: Two hundred jobs and more wait at any time, but never thousands: ministack reads all that wait for each page of them.
_PATIENCE = 300
_TOGETHER = 100


@dataclass(frozen=True, slots=True)
class Wish:
    name: str
    priority: int
    kind: str
    instances: int
    seconds: float
    exit_code: int
    times: int  # that it is submitted
    given_up: str  # how the names begin of jobs that people have waited for long enough by then; mostly none

    @property
    def body(self) -> dict[str, Any]:
        command = f"sleep {self.seconds}; exit {self.exit_code}"
        request = body(self.name, command, priority=self.priority, instances=self.instances)
        request["ResourceConfig"]["InstanceType"] = self.kind
        return request


def wishes(count: int, random: Random) -> Iterator[Wish]:
    for number in range(count):
        kind = random.choice(tuple(BUDGET))
        # Each urgent job outranks all before it: without such, the highest class would soon be all that runs.
        is_urgent = random.random() < 0.1
        yield Wish(
            name=f"soak-{number:04}",
            priority=_PRIORITIES + number if is_urgent else random.randrange(_PRIORITIES),
            kind=kind,
            instances=random.choice(_WIDTHS[kind]),
            seconds=round(random.uniform(0.2, 5), 1),
            exit_code=int(random.random() < 0.1),
            times=2 if random.random() < 0.1 else 1,
            given_up=_given_up(number),
        )


def _given_up(number: int) -> str:
    if number % _TOGETHER or number < _PATIENCE:
        return ""
    return f"soak-{(number - _PATIENCE) // _TOGETHER:02}"
