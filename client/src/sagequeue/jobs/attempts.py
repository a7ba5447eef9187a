"""Selects the attempt of a job that counts: the last, the live, or the deciding one."""

from sagequeue.contract.jobs import FINISHED, Attempt, Job

#: SageMaker's log group and metrics namespace; both are organised by the names of attempts.
TRAINING_JOBS = "/aws/sagemaker/TrainingJobs"

# After these outcomes, SageMaker's description of the attempt does not show how the job ended.
_NOT_DECIDING = frozenset({"preempted", "never_started", "vanished"})


def last_attempt(job: Job) -> Attempt | None:
    return job["attempts"][-1] if job["attempts"] else None


def live_attempt(job: Job) -> Attempt | None:
    """Returns the attempt that has not ended. A live job may briefly have none, while its end is recorded."""
    attempt = last_attempt(job)
    return attempt if attempt and attempt["outcome"] is None else None


def deciding_attempt(job: Job) -> Attempt | None:
    """Returns the attempt that ended the job, so that SageMaker's description of it describes the job."""
    attempt = last_attempt(job)
    if attempt is None or job["state"] not in FINISHED or attempt["outcome"] in _NOT_DECIDING:
        return None
    return attempt
