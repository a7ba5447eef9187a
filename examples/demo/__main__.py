"""`python -m examples.demo`: plays the scenario on its own local account, and leaves nothing behind.

Exit status 0 means that every claim of verdict.py holds.
"""

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

import boto3
from examples.demo.jobs import INSTANCE_TYPE, INSTANCES
from examples.demo.scenario import play
from examples.demo.stage import DemoFailed, Stage
from examples.demo.summary import summary
from examples.demo.verdict import judge
from rich.console import Console

from local_account import AccountError, LocalAccount, Settings, free_port
from sagequeue import QueueSession

WIDTH = 110
INTERRUPTED = 130  # as shells report Ctrl-C


def main() -> None:
    options = read_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that the account is stopped then, too
    console = Console(width=WIDTH, record=options.picture is not None, highlight=False)
    try:
        succeeded = run(console)
    except (AccountError, DemoFailed) as error:
        sys.exit(f"The demo failed: {error}")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    if options.picture:
        console.save_svg(str(options.picture), title="make demo")
    sys.exit(0 if succeeded else 1)


def read_options() -> Namespace:
    parser = ArgumentParser(prog="python -m examples.demo", description=__doc__)
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="Also draw the output.")
    return parser.parse_args()


def run(console: Console) -> bool:
    """Plays the scenario and prints the verdict. Returns whether every claim holds."""
    settings = Settings(
        port=free_port(), sagemaker_port=free_port(), startup_seconds=1, budget=f"{INSTANCE_TYPE}={INSTANCES}"
    )
    with TemporaryDirectory() as home:
        account = LocalAccount(settings, home=Path(home))
        try:
            account.up(announce=lambda step: console.print(f"· {step}", style="dim"))
            os.environ.update(account.env())
            return perform(console)
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not interrupt the shutdown
            account.down()


def perform(console: Console) -> bool:
    stage = Stage(QueueSession(), console)
    play(stage)
    claims = judge(stage, boto3.client("sagemaker"))
    console.print(summary(stage.jobs().values(), claims))
    return all(claim.holds for claim in claims)


if __name__ == "__main__":
    main()
