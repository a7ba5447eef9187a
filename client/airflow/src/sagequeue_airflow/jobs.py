"""Reads the end of a job: whether it has ended, and the result that a task returns."""

from typing import Any

from sagequeue.contract.jobs import Job
from sagequeue.jobs.description import last_attempt

COMPLETED = "completed"
#: States in which nothing changes without an action: a parked job cannot run until somebody acts.
ENDS = frozenset({COMPLETED, "failed", "stopped", "parked"})


def result_of(job: Job) -> dict[str, Any]:
    """Returns the result that later tasks can use: names, state, model, metrics and cost."""
    attempt = last_attempt(job)
    return {
        "job": job["name"],
        "state": job["state"],
        "reason": job["reason"]["message"],
        "training_job": attempt["name"] if attempt else None,
        "model_artifacts": job.get("model_artifacts"),
        "metrics": job.get("metrics", {}),
        "dollars": job["cost"]["dollars"] if "cost" in job else None,
    }


def failure_of(result: dict[str, Any]) -> str:
    return f"The job {result['job']} is {result['state']}: {result['reason']}"
