"""How long a cold start takes, imports and clients: `make bench` fails above a bound.

The settings are those of template.yaml.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from simulation.environment import environment

_FUNCTIONS = Path(__file__).parents[1] / "functions"
_RUNS = 9
_AWS = {"AWS_DEFAULT_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}


@dataclass(frozen=True, slots=True)
class ColdStart:
    """What a function imports and builds before its first call of a service."""

    function: str
    builds: str
    bound: int  # milliseconds

    def milliseconds(self) -> float:
        """CPU time of the least disturbed of some fresh interpreters."""
        return 1000 * min(self._seconds() for _ in range(_RUNS))

    def _seconds(self) -> float:
        program = "\n".join(
            [
                "from time import process_time",
                f"import {self.function}.handler",
                "from scheduler import wiring",
                self.builds,
                "print(process_time())",  # the interpreter's own start included
            ]
        )
        variables = {**os.environ, **environment(), **_AWS, "PYTHONPATH": str(_FUNCTIONS)}
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=variables)  # noqa: S603  # our own
        return float(done.stdout)


COLD_STARTS = (
    ColdStart("api", "wiring.job_queue()", 400),
    ColdStart("schedule", "wiring.scheduler(), wiring.idle_watch()", 700),
)


if __name__ == "__main__":
    is_slow = False
    for start in COLD_STARTS:
        found = start.milliseconds()
        is_slow |= found > start.bound
        print(f"cold start of {start.function}: {found:.0f} ms of CPU; the bound is {start.bound} ms")
    sys.exit(is_slow)
