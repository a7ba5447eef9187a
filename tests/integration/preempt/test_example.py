"""The script of docs/use/survive-preemption.md saves at SIGTERM, and its next run resumes there."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from support.checkout import CHECKOUT

SCRIPT = CHECKOUT / "examples" / "preemptible_train.py"


def started(checkpoints: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603  # our own
        [sys.executable, SCRIPT, *options],
        env={**os.environ, "SAGEQUEUE_CHECKPOINT_PATH": str(checkpoints)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_the_second_run_goes_on_after_the_saved_step(tmp_path: Path) -> None:
    with started(tmp_path, "--steps", "100000") as first:
        assert line_of(first) == "sagequeue_preempt: begins at step 0"
        assert line_of(first) == "starting at step 0"
        first.send_signal(signal.SIGTERM)
        assert first.wait() == -signal.SIGTERM
    (saved,) = tmp_path.iterdir()
    step = int(saved.name.rpartition("-")[2])
    with started(tmp_path, "--steps", str(step + 3), "--step-seconds", "0") as second:
        assert line_of(second).startswith(f"sagequeue_preempt: resumes after step {step}")
        assert line_of(second) == f"starting at step {step + 1}"
        assert re.fullmatch(r"accuracy 0\.\d\d", line_of(second))


def test_the_page_shows_the_script() -> None:
    code = SCRIPT.read_text().partition('"""\n\n')[2]
    assert f"```python\n{code}```" in (CHECKOUT / "docs/use/survive-preemption.md").read_text()
