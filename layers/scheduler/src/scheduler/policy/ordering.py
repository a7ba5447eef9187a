"""The order of the queue: priority, then who waits longest or is expected to run shortest, then name."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from scheduler.domain.history import History
from scheduler.domain.job import Job
from scheduler.domain.policy import Ordering


def in_queue_order(jobs: Iterable[Job], ordering: Ordering, history: History) -> list[Job]:
    return sorted(jobs, key=shortest_first(history) if ordering is Ordering.SHORTEST else queue_order)


def queue_order(job: Job) -> tuple[int, datetime, str]:
    """Highest priority first, then longest waiting, then name for determinism."""
    return (-job.priority, job.submitted_at, job.name)


def shortest_first(history: History) -> Callable[[Job], tuple[Any, ...]]:
    expected = history.expected_run_time
    return lambda job: (-job.priority, expected(job), job.submitted_at, job.name)
