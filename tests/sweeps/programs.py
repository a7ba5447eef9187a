"""Programs that run sweeps with Optuna's Python, and the request of their trials."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.checkout import CHECKOUT
from support.deployed.container_requests import body

PYTHON = CHECKOUT / ".venvs/optuna/bin/python"
#: Prints (x - 2)² plus an error that becomes smaller with each step.
SCRIPT = """
import sys, time
x, seconds = float(sys.argv[1]), float(sys.argv[2])
for step in range(4):
    print(f"step={step} loss={(x - 2) ** 2 + 1 / 2 ** step:.6f}", flush=True)
    time.sleep(seconds / 4)
"""
#: Polls more often than people need, and dies at a chosen submission: before it, or after it.
SWEEP = """
import os, signal, sys
from sagequeue import QueueClient
from sagequeue.cli.main import main
from sagequeue.sweeps import sweep

sweep.EVERY = 0.2
point, number = sys.argv[1].split(":")
submit = QueueClient.submit
def dies(self, request, *more):
    last = request["TrainingJobName"].endswith("-" + number)
    if last and point == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    job = submit(self, request, *more)
    if last and point == "after":
        os.kill(os.getpid(), signal.SIGKILL)
    return job
QueueClient.submit = dies
main(sys.argv[2:])
"""
#: How long a program may take on a busy machine.
SECONDS = 480
NEVER = "never:0"


def trial_request(seconds: float = 1) -> dict[str, Any]:
    request = body("any")
    request["AlgorithmSpecification"]["ContainerEntrypoint"] = [sys.executable, "-c", SCRIPT]
    request["AlgorithmSpecification"]["ContainerArguments"] = ["${x}", str(seconds)]
    return request


def write_study(folder: Path, name: str, trials: int, **more: Any) -> Path:
    """Writes a study file, whose storage is beside it."""
    study = {
        "name": name,
        "storage": f"sqlite:///{folder / 'study.db'}",
        "direction": "minimize",
        "objective": r"step=(?P<step>\d+) loss=(?P<value>\S+)",
        "trials": trials,
        "parameters": {"x": {"low": -5, "high": 5}},
        "request": trial_request(),
        **more,
    }
    file = folder / f"{name}.yaml"
    file.write_text(json.dumps(study, indent=1))
    return file


def run_sweep(file: Path, dies: str = NEVER) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own
        _command(file, dies), env=environment(), capture_output=True, text=True, check=False, timeout=SECONDS
    )


@contextmanager
def running_sweep(file: Path) -> Iterator[subprocess.Popen[str]]:
    """Runs a sweep until the end of the block, which kills it."""
    with subprocess.Popen(  # noqa: S603 - our own
        _command(file, NEVER), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as program:
        try:
            yield program
        finally:
            program.send_signal(signal.SIGKILL)


def run_program(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [PYTHON, "-c", program, *arguments]
    return subprocess.run(  # noqa: S603 - our own
        command, env=environment(), capture_output=True, text=True, check=False, timeout=SECONDS
    )


def trials_of(file: Path) -> list[dict[str, Any]]:
    """Returns the trials in the study's storage, as Optuna reads them."""
    program = """
import json, sys, optuna
study = optuna.load_study(study_name=sys.argv[1], storage=sys.argv[2])
print(json.dumps([{"state": trial.state.name, "value": trial.value, "x": trial.params.get("x"),
    "job": trial.user_attrs.get("job"), "steps": sorted(trial.intermediate_values)} for trial in study.trials]))
"""
    study = json.loads(file.read_text())
    done = run_program(program, study["name"], study["storage"])
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _command(file: Path, dies: str) -> list[str | Path]:
    return [PYTHON, "-c", SWEEP, dies, "sweep", file]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(CHECKOUT / "client/src")}
