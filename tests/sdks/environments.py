"""The supported SageMaker SDKs: each has an environment of its own, and its programs run as processes."""

import os
import subprocess
from pathlib import Path

from local_account import LocalAccount

CHECKOUT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"
#: The environment of each SDK: the newest v2 is that of all other tests.
PYTHONS = {
    "v2-oldest": CHECKOUT / ".venvs/sdk2-oldest/bin/python",
    "v2": CHECKOUT / ".venv/bin/python",
    "v3": CHECKOUT / ".venvs/sdk3/bin/python",
}
PATIENCE_SECONDS = 540  # the SDKs' import alone can take many


def start(account: LocalAccount, sdk: str, *words: str) -> "subprocess.Popen[str]":
    """A program of the SDK's users, with its errors among its output."""
    program, *arguments = words
    return subprocess.Popen(  # noqa: S603  # our own program
        [PYTHONS[sdk], "-u", PROGRAMS / program, *arguments],
        cwd=CHECKOUT,
        env={**os.environ, **account.env(), "SAGEMAKER_SUPPRESS_V2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ended(program: "subprocess.Popen[str]") -> str:
    """What it has printed, when it is over; it must succeed."""
    try:
        output, _ = program.communicate(timeout=PATIENCE_SECONDS)
    finally:
        program.kill()
    assert program.returncode == 0, output
    return output
