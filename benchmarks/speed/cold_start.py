"""Measures a cold start, with imports and clients: `make bench` fails above a bound.

The layer and the functions are built as by `sam build`, with this machine's Python and the settings of template.yaml.
Each time is compared with that of a function that only creates a DynamoDB client. The speed of machines differs, and
changes from hour to hour; the ratio hardly changes.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from support.stack.environment import environment

_ROOT = Path(__file__).parents[2]
_RUNS = 40
_AWS = {"AWS_DEFAULT_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}


@dataclass(frozen=True, slots=True)
class ColdStart:
    """The imports and objects of a function before its first call of a service."""

    function: str
    builds: str
    bound: int  # milliseconds

    @property
    def program(self) -> str:
        return f"import {self.function}.handler; {self.builds}"


COLD_STARTS = (
    ColdStart("api", "from scheduler.wiring import shared; shared.submissions()", 400),
    ColdStart("schedule", "from scheduler.wiring import cycle; cycle.scheduler(), cycle.idle_gpus()", 700),
)
_FLOOR = 'import botocore.session; botocore.session.get_session().create_client("dynamodb")'


def measured(built: Path) -> dict[str, float]:
    """Returns the milliseconds of CPU of each program: the least of several fresh interpreters, which take turns."""
    programs = (_FLOOR, *(start.program for start in COLD_STARTS))
    turns = [[_milliseconds(program, built) for program in programs] for _ in range(_RUNS)]
    return dict(zip(programs, map(min, zip(*turns, strict=True)), strict=True))


def _milliseconds(program: str, built: Path) -> float:
    timed = f"from time import process_time; {program}; print(process_time())"  # includes the start of the interpreter
    # As on Lambda, nothing else is installed (-S), and no byte code can be written.
    path = {"PYTHONPATH": f"{built / 'layer' / 'python'}:{built / 'functions'}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-S", "-c", timed]
    variables = {**os.environ, **environment(), **_AWS, **path}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=variables)  # noqa: S603  # our own
    return 1000 * float(done.stdout)


def build(folder: Path) -> None:
    """Builds the layer and the functions as `sam build` does."""
    _make("build-SchedulerLayer", _ROOT / "layers" / "scheduler", folder / "layer")
    _make("build-ApiFunction", _ROOT / "functions", folder / "functions")


def _make(target: str, source: Path, artifacts: Path) -> None:
    artifacts.mkdir()
    with TemporaryDirectory() as folder:  # a copy, because pip leaves files beside its build
        copy = shutil.copytree(source, Path(folder) / "source", ignore=shutil.ignore_patterns("build"))
        variables = [f"ARTIFACTS_DIR={artifacts}", f"PYTHON={sys.executable}"]
        subprocess.run(["make", "--silent", "--directory", copy, *variables, target], check=True)  # noqa: S603, S607  # our own


if __name__ == "__main__":
    is_slow = False
    with TemporaryDirectory() as folder:
        build(Path(folder))
        found = measured(Path(folder))
    floor = found[_FLOOR]
    print(f"a function with only a DynamoDB client: {floor:.0f} ms of CPU")
    for start in COLD_STARTS:
        taken = found[start.program]
        is_slow |= taken > start.bound
        print(
            f"cold start of {start.function}: {taken:.0f} ms of CPU, {taken / floor:.1f} times that; "
            f"the bound is {start.bound} ms"
        )
    sys.exit(is_slow)
