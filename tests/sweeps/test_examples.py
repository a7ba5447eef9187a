"""The examples of learning sweeps do what the page says."""

import json
import subprocess
from pathlib import Path

import pytest

from sagequeue import QueueClient
from support.checkout import CHECKOUT
from support.deployed.container_requests import body
from sweeps.programs import NEVER, PYTHON, SECONDS, SWEEP, environment

EXAMPLES = CHECKOUT / "examples"
#: Hyperparameters are in a file, as in every container.
READS_ITS_RATE = 'echo loss=0$(grep -o "[.][0-9]*" "$SM_INPUT_CONFIG_DIR/hyperparameters.json" | head -1)'


def run(folder: Path, *arguments: str | Path) -> list[str]:
    done = subprocess.run(  # noqa: S603 - our own
        [PYTHON, *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_study_of_the_page_runs(queue: QueueClient, tmp_path: Path) -> None:
    lines = run(tmp_path, "-c", SWEEP, NEVER, "sweep", EXAMPLES / "study.yaml")
    assert lines[-1].startswith("best: descent-")
    jobs = list(queue.list(name="descent-"))
    assert (len(jobs), {job["priority"] for job in jobs}) == (12, {5})
    assert {job["state"] for job in jobs} <= {"completed", "stopped"}  # by its pruner


def test_the_program_of_the_page_runs(queue: QueueClient, tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(body("any", READS_ITS_RATE)))
    lines = run(tmp_path, EXAMPLES / "learning_sweep.py", file, "3")
    assert lines[-1].startswith("best: rates-")
    assert {job["state"] for job in queue.list(name="rates-")} == {"completed"}


@pytest.mark.parametrize("file", ["study.yaml", "learning_sweep.py"])
def test_the_page_shows_the_example_as_it_is(file: str) -> None:
    text = (EXAMPLES / file).read_text()
    code = text.partition('"""\n\n')[2] if file.endswith(".py") else text
    assert code in (CHECKOUT / "docs/use/learning-sweeps.md").read_text()
