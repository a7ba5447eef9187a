"""Which of a job's attempts counts."""

from sagequeue.contract.jobs import FINISHED, Attempt, Job

#: The log group and the metrics' namespace in which SageMaker files things under the names of attempts.
TRAINING_JOBS = "/aws/sagemaker/TrainingJobs"

# After these outcomes SageMaker's description of the attempt does not tell how the job ended.
_NOT_THE_END = frozenset({"preempted", "never_started", "vanished"})


def last_attempt(job: Job) -> Attempt | None:
    return job["attempts"][-1] if job["attempts"] else None


def live_attempt(job: Job) -> Attempt | None:
    """The attempt that has not ended. For a moment a live job may have none: its end is being recorded."""
    attempt = last_attempt(job)
    return attempt if attempt and attempt["outcome"] is None else None


def deciding_attempt(job: Job) -> Attempt | None:
    """The attempt whose end is the job's end: what SageMaker says of it is true of the job."""
    attempt = last_attempt(job)
    if attempt is None or job["state"] not in FINISHED or attempt["outcome"] in _NOT_THE_END:
        return None
    return attempt
