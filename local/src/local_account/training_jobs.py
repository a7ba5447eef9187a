"""The training jobs that run now: they are processes of the emulator, and end with it."""

from local_account.account import LocalAccount
from local_account.environment import account_session


def running_jobs(account: LocalAccount) -> list[str]:
    """Their names; those that are stopping included."""
    if "sagemaker" not in account.running():
        return []
    client = account_session().client("sagemaker", endpoint_url=account.settings.sagemaker_endpoint)
    pages = client.get_paginator("list_training_jobs").paginate()
    jobs = [job for page in pages for job in page["TrainingJobSummaries"]]
    return sorted(job["TrainingJobName"] for job in jobs if job["TrainingJobStatus"] in {"InProgress", "Stopping"})
