"""JSON types for arrays (docs/reference/rest.md)."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

#: Either a matrix, in which each combination is a job, or a list with the values for each job.
Parameters = Mapping[str, Sequence[str | float | bool]] | Sequence[Mapping[str, str | float | bool]]


class Progress(TypedDict):
    completed: int
    failed: int
    stopped: int
    running: int
    waiting: int
    held_or_parked: int
    not_created: int


class Array(TypedDict):
    """An array, whose jobs are named NAME-0, NAME-1 and so on."""

    name: str
    owner: str
    state: str
    size: int
    priority: int
    progress: Progress
    at_most: int | None
    most_failures: int | None
    held_by: str | None
    end: str | None
    problem: str | None
    instances: dict[str, int]  # of each job
    max_runtime: int  # of each job; the longest time limit in seconds, also with an alternative
    approved_by: str | None  # the operator who has approved all its jobs
    submitted_at: str
    updated_at: str | None


class SubmittedArray(Array):
    is_new: bool


class Arrays(TypedDict):
    arrays: list[Array]
