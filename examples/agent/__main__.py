"""`python -m examples.agent`: an agent's client asks `sagequeue mcp` why a job of a local account waits.

It starts the account and leaves nothing behind. The MCP SDK has a separate environment: `make setup-agents`.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from local_account import AccountError, LocalAccount, Settings, free_port
from sagequeue import QueueClient

CHECKOUT = Path(__file__).parents[2]
PYTHON = CHECKOUT / ".venvs/mcp/bin/python"
FIRST, SECOND = "prepare", "train"


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that the account is stopped then, too
    if not PYTHON.exists():
        sys.exit("The MCP SDK is not installed. Install it: make setup-agents")
    settings = Settings(port=free_port(), sagemaker_port=free_port(), startup_seconds=1, budget="ml.m5.large=1")
    try:
        with TemporaryDirectory() as home, LocalAccount(settings, home=Path(home)) as account:
            os.environ.update(account.env())
            answers = run()
    except AccountError as error:
        sys.exit(f"The example failed: {error}")
    if answers.returncode:
        sys.exit(f"The agent failed:\n{answers.stderr}")
    print(answers.stdout, end="")


def run() -> subprocess.CompletedProcess[str]:
    """Submits two jobs to the account of the environment. The agent asks why the second waits for the first."""
    queue = QueueClient()
    request = json.loads((CHECKOUT / "examples/request.json").read_text())
    queue.submit(request | {"TrainingJobName": FIRST}, {"hold": True})
    queue.submit(request | {"TrainingJobName": SECOND}, {"after_ok": [FIRST]})
    command = (PYTHON, Path(__file__).with_name("questions.py"), SECOND)
    return subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - our own


if __name__ == "__main__":
    main()
