"""Reads a trace of submissions: the requests of users, and the real run time of each job."""

import csv
import gzip
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Submission:
    index: int  # the row of the trace, from 0
    submit: int  # seconds after the first submission
    duration: int
    instances: int
    priority: int
    max_runtime: int
    user: str
    group: str


def read(path: Path) -> list[Submission]:
    """Reads gzipped CSV with the columns submit_s, duration_s, instances, priority, max_runtime_s, user, group."""
    with gzip.open(path, "rt", newline="") as file:
        return [
            Submission(
                index,
                int(row["submit_s"]),
                int(row["duration_s"]),
                int(row["instances"]),
                int(row["priority"]),
                int(row["max_runtime_s"]),
                row["user"],
                row["group"],
            )
            for index, row in enumerate(csv.DictReader(file))
        ]


def cut(submissions: Sequence[Submission], begin: int, end: int) -> list[Submission]:
    """Returns the jobs that were submitted on these days, renumbered, with the first one at second 0."""
    inside = [job for job in submissions if begin * _DAY <= job.submit < end * _DAY]
    return [replace(job, index=index, submit=job.submit - inside[0].submit) for index, job in enumerate(inside)]


def reordered(submissions: Sequence[Submission], order: int) -> Sequence[Submission]:
    """Returns the jobs. The order of jobs submitted in the same second depends on `order`; 0 changes nothing.

    Figures that differ between orders show how much of a difference is noise.
    """
    if order == 0:
        return submissions
    random = Random(order)  # noqa: S311 -- no secret
    ordered = sorted(submissions, key=lambda job: (job.submit, random.random()))
    return [replace(job, index=index) for index, job in enumerate(ordered)]
