"""`make soak`: the deployed local account under load, with faults and restarts, for a limited time."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

from soak.course import DRAIN_SECONDS, Load, an_account, soak

_MOST_MINUTES = 10.0
_LEAST_MINUTES = DRAIN_SECONDS / 60 + 1


def main() -> int:
    parser = ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=_MOST_MINUTES, help="minutes of load, after the deployment")
    parser.add_argument("--seed", type=int, default=0, help="of submissions and faults")
    asked = parser.parse_args()
    if not _LEAST_MINUTES <= asked.minutes <= _MOST_MINUTES or asked.jobs < 1:
        parser.error(f"--jobs must be at least 1, and --minutes between {_LEAST_MINUTES:g} and {_MOST_MINUTES:g}")
    load = Load(asked.jobs, 60 * asked.minutes - DRAIN_SECONDS, seed=asked.seed)
    with TemporaryDirectory(prefix="soak-") as home, an_account(Path(home)) as account:
        os.environ.update(account.env())
        outcome = soak(account, load, announce=_say)
    print(outcome)
    return 0 if outcome.is_good else 1


def _say(text: str) -> None:
    print(f"· {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
