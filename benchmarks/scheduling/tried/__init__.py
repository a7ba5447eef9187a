"""Repeats the measurements of rules that were tried and rejected: each is a small change of the production planner.

A module has the rules of one kind. `benchmarks.scheduling.tried.rejected` replays all of them.
"""

from typing import NamedTuple


class Change(NamedTuple):
    """Replaces one attribute of the planner, or of the replay, during a replay."""

    owner: object
    attribute: str
    replacement: object
