"""Reads the options that name the jobs that a job waits for."""

import re
from collections.abc import Mapping
from typing import Any

from scheduler.core.jobs.start_conditions import IfNeverSatisfied, JobDependencies
from scheduler.errors.refusals import bad_field

#: The most jobs that one job may wait for: each check reads all of them.
MOST_PREDECESSORS = 20
NAMES = ("after_ok", "after_any", "after_not_ok", "if_never_satisfied")
REMEDY = f"Name at most {MOST_PREDECESSORS} different jobs: as prep+fetch in a tag, or as an array next to the request."
_JOB_NAME = re.compile(r"[a-zA-Z0-9-]{1,63}")


def are_job_names(value: object) -> bool:
    if not isinstance(value, tuple) or not 0 < len(value) <= MOST_PREDECESSORS or len({*value}) < len(value):
        return False
    return all(isinstance(name, str) and _JOB_NAME.fullmatch(name) for name in value)


def is_if_never_satisfied(value: object) -> bool:
    return value in list(IfNeverSatisfied)


def dependencies_of(values: Mapping[str, Any]) -> JobDependencies:
    """Returns the dependencies in option values that the functions above accept. Raises BadRequest."""
    found = JobDependencies(**values)
    predecessors, remedy = found.predecessors, "Name each job in one of after_ok, after_any and after_not_ok."
    if "if_never_satisfied" in values and not predecessors:
        raise bad_field("options.if_never_satisfied", "is set, but the job waits for no other job", remedy)
    if repeated := [name for name in predecessors if predecessors.count(name) > 1]:
        raise bad_field("options.after_any", f"and another option both name {repeated[0]}", remedy)
    if len(predecessors) > MOST_PREDECESSORS:
        most = f"Name at most {MOST_PREDECESSORS} jobs in all."
        raise bad_field("options.after_any", f"and the other dependency options name {len(predecessors)} jobs", most)
    return found


def refuse_itself(dependencies: JobDependencies, name: str) -> None:
    """Raises BadRequest if the job would wait for itself."""
    for option in NAMES[:-1]:
        if name in getattr(dependencies, option):
            raise bad_field(f"options.{option}", f"names {name}, the job itself", "Name other jobs.")
