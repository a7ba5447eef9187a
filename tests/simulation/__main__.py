"""Plays random worlds on all cores: until one fails (`make simulate`), or new ones to the end (`simulate-fresh`)."""

import sys
from argparse import ArgumentParser

from support.simulation.runs import fresh_worlds
from support.simulation.runs.defect_search import search_all
from support.simulation.runs.parallel_runs import run_many
from support.simulation.runs.random_world import Failure


def main() -> int:
    parser = ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, help="the first one; 0, or with --fresh the commit's")
    parser.add_argument("--fresh", action="store_true", help="keep failing seeds in a list, and end with success")
    parser.add_argument(
        "--mutations", action="store_true", help="plant defects instead, and keep the worlds that find them"
    )
    asked = parser.parse_args()
    if asked.mutations:
        print(search_all())
        return 0
    if asked.fresh:
        fresh_worlds.play(asked.runs, asked.seed)
        return 0
    first = asked.seed or 0
    try:
        report = run_many(range(first, first + asked.runs))
    except Failure as failure:
        print(failure)
        return 1
    print(report.as_markdown())
    return 0


if __name__ == "__main__":
    sys.exit(main())
