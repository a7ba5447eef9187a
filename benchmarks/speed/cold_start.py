"""Measures the cold start of each function, with imports and clients. `make bench` fails above a bound.

The layer and the functions are built as by `sam build`, with this machine's Python and the settings of template.yaml.
The bound is a multiple of the CPU time of a function that only creates a DynamoDB client, measured in the same run. The
speed of machines differs, and changes from hour to hour, but this ratio hardly changes.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from support.stack.environment import environment

_ROOT = Path(__file__).parents[2]
#: The highest multiple of the CPU time of a bare DynamoDB client.
_BOUND = 3.0
_RUNS = 20
_AWS = {"AWS_DEFAULT_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}


_FLOOR = 'import botocore.session; botocore.session.get_session().create_client("dynamodb")'
#: The objects that each function builds for its first event, before it calls a service.
_BUILDS = {
    "api": "from scheduler.wiring import shared; shared.submissions()",
    "configuration": "from scheduler.wiring import config, shared; config.deployments('sagequeue'), shared.settings()",
    "history": "from scheduler.wiring import change_log; change_log.change_store(), change_log.event_bus()",
    "idle_alarm": "from scheduler.wiring import cycle; cycle.idle_gpus()",
    "schedule": "from scheduler.wiring import cycle; cycle.scheduler(), cycle.idle_gpus(), cycle.sweep_report()",
    "training_events": "from scheduler.wiring import shared; shared.job_stores(), shared.unmanaged_job_store()",
}


def programs() -> dict[str, str]:
    """Returns the program of each function's cold start."""
    functions = sorted(handler.parent.name for handler in (_ROOT / "functions").glob("*/handler.py"))
    return {name: f"import {name}.handler; {_BUILDS[name]}" for name in functions}


def measured(built: Path, *compared: str) -> list[float]:
    """Returns each program's CPU time in milliseconds: the minimum over several new interpreters, which take turns."""
    turns = [[_milliseconds(program, built) for program in compared] for _ in range(_RUNS)]
    return [min(times) for times in zip(*turns, strict=True)]


def _milliseconds(program: str, built: Path) -> float:
    timed = f"from time import process_time; {program}; print(process_time())"  # includes the start of the interpreter
    # As on Lambda, no other package is installed (-S), and Python can write no byte code.
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
    with TemporaryDirectory() as folder:  # builds a copy, because pip leaves files beside the sources
        copy = shutil.copytree(source, Path(folder) / "source", ignore=shutil.ignore_patterns("build"))
        variables = [f"ARTIFACTS_DIR={artifacts}", f"PYTHON={sys.executable}"]
        subprocess.run(["make", "--silent", "--directory", copy, *variables, target], check=True)  # noqa: S603, S607  # our own


if __name__ == "__main__":
    starts = programs()
    with TemporaryDirectory() as folder:
        build(Path(folder))
        floor, *taken = measured(Path(folder), _FLOOR, *starts.values())
    print(f"a bare DynamoDB client: {floor:.0f} ms of CPU")
    for function, milliseconds in zip(starts, taken, strict=True):
        ratio = milliseconds / floor
        print(f"cold start of {function}: {milliseconds:.0f} ms of CPU, {ratio:.2f} times that (at most {_BOUND:.0f})")
    sys.exit(max(taken) > _BOUND * floor)
