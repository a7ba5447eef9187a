"""The order of the queue: priority, then who waits longest or is expected to run shortest, then name."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from scheduler.domain.history import History
from scheduler.domain.job import Job
from scheduler.domain.policy import Ordering


def in_queue_order(jobs: Iterable[Job], ordering: Ordering, history: History) -> list[Job]:
    return sorted(jobs, key=shortest_first(history) if ordering is Ordering.SHORTEST else queue_order)


def queue_order(job: Job) -> tuple[int, float, datetime, str]:
    """Highest priority first, then longest waiting, then name for determinism."""
    return (-job.priority, _turn(job), job.submitted_at, job.name)


def shortest_first(history: History) -> Callable[[Job], tuple[Any, ...]]:
    expected = history.expected_run_time
    return lambda job: (-job.priority, _turn(job), expected(job), job.submitted_at, job.name)


def _turn(job: Job) -> float:
    """Whom somebody moved to the top comes first, the last moved before those moved earlier."""
    return -job.on_top_since.timestamp() if job.on_top_since else 0.0
