"""Reads a budget that an operator sends."""

import re
from collections.abc import Mapping

from scheduler.core.jobs.budget import Budget
from scheduler.errors.refusals import BadRequest

_INSTANCE_TYPE = re.compile(r"ml\.[a-z0-9-]{1,40}\.[a-z0-9-]{1,40}")
MAX_TYPES = 100
MAX_INSTANCES = 999_999


def budget_of(counts: Mapping[str, object]) -> Budget:
    """Raises BadRequest with the type that cannot be used."""
    if not 1 <= len(counts) <= MAX_TYPES:
        raise BadRequest(
            f"budget names {len(counts)} instance types",
            field="budget",
            remedy=f"Name 1 to {MAX_TYPES}; a type of which nothing may run has 0.",
        )
    known: dict[str, int] = {}
    for kind, count in counts.items():
        if not _INSTANCE_TYPE.fullmatch(kind):
            raise _refused(kind[:100], "is no instance type", "Use a name such as ml.g5.xlarge.")
        if type(count) is not int or not 0 <= count <= MAX_INSTANCES:  # a bool is an int to isinstance
            raise _refused(kind, "is not a count of instances", f"Use an integer from 0 to {MAX_INSTANCES}.")
        known[kind] = count
    return Budget.of(known)


def _refused(kind: str, problem: str, remedy: str) -> BadRequest:
    return BadRequest(f"budget.{kind} {problem}", field=f"budget.{kind}", remedy=remedy)
