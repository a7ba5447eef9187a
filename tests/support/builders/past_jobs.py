"""Adds other users' training jobs, which ended long ago. SageMaker lists them, but none runs."""

from local_sagemaker.state_machine.job import Secondary, Status, TrainingJob, Transition
from local_sagemaker.state_machine.machine import StateMachine


def add_past_jobs(machine: StateMachine, count: int, since: float, until: float, name: str = "past") -> None:
    """Adds this many jobs to the list. They were created one after the other, between the two times."""
    for number in range(count):
        created_at = since + (until - since) * (number + 0.5) / count
        job = _ended_job(f"{name}-{round(since)}-{number}", created_at)
        machine.past_jobs[job.name] = job


def _ended_job(name: str, created_at: float) -> TrainingJob:
    request = {
        "TrainingJobName": name,
        "RoleArn": "arn:aws:iam::000000000000:role/Other",
        "OutputDataConfig": {"S3OutputPath": "s3://other/out"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1},
    }
    arn = f"arn:aws:sagemaker:us-east-1:000000000000:training-job/{name}"
    end = Transition(Secondary.COMPLETED, created_at, "")
    return TrainingJob(
        request, arn, created_at, created_at, {}, status=Status.COMPLETED, transitions=[end], ended_at=created_at
    )
