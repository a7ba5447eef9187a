"""Runs commands in the checkout, as a user does in a terminal with the account's environment."""

import subprocess
from pathlib import Path

from support.checkout import CHECKOUT


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
