"""`make soak`: the deployed local account under load, with faults and restarts, for a limited time."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

from local_account import LocalAccount, Settings, free_port
from soak.course import CALM_SECONDS, soak
from soak.wishes import BUDGET

_MOST_MINUTES = 10.0
_LEAST_MINUTES = CALM_SECONDS / 60 + 1


def main() -> int:
    parser = ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=_MOST_MINUTES, help="of load; the deployment comes before it")
    parser.add_argument("--seed", type=int, default=0, help="of what is asked for and of what goes wrong")
    asked = parser.parse_args()
    if not _LEAST_MINUTES <= asked.minutes <= _MOST_MINUTES or asked.jobs < 1:
        parser.error(f"--jobs must be at least 1, and --minutes between {_LEAST_MINUTES:g} and {_MOST_MINUTES:g}")
    settings = Settings(
        port=free_port(),
        sagemaker_port=free_port(),
        startup_seconds=0.3,
        budget=",".join(f"{kind}={limit}" for kind, limit in BUDGET.items()),
    )
    with TemporaryDirectory(prefix="soak-") as home, LocalAccount(settings, home=Path(home)) as account:
        os.environ.update(account.env())
        outcome = soak(account, asked.jobs, 60 * asked.minutes, asked.seed, announce=_say)
    print(outcome)
    return 0 if outcome.is_good else 1


def _say(text: str) -> None:
    print(f"· {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
