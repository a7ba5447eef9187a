"""A trace of submissions: what users asked for, and how long it really ran."""

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Submission:
    index: int  # the row of the trace, from 0
    submit: int  # seconds from the first one
    duration: int
    instances: int
    priority: int
    max_runtime: int
    user: str
    group: str


def read(path: Path) -> list[Submission]:
    """Rows of submit_s, duration_s, instances, priority, max_runtime_s, user, group; gzipped CSV."""
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
