"""The order of the queue."""

from datetime import datetime

from scheduler.domain.job import Job


def queue_order(job: Job) -> tuple[int, datetime, str]:
    """Highest priority first, then longest waiting, then name for determinism."""
    return (-job.priority, job.submitted_at, job.name)
