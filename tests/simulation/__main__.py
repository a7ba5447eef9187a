"""`make simulate`: random worlds on all cores, until the runs are done or one fails."""

import sys
from argparse import ArgumentParser

from simulation.many import run_many
from simulation.runs import Failure


def main() -> int:
    parser = ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--runs", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    asked = parser.parse_args()
    try:
        report = run_many(range(asked.seed, asked.seed + asked.runs))
    except Failure as failure:
        print(failure)
        return 1
    print(report.as_markdown())
    return 0


if __name__ == "__main__":
    sys.exit(main())
