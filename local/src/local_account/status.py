"""The status of the account: which components and training jobs are running."""

from dataclasses import dataclass

from local_account.account import LocalAccount
from local_account.servers.server import describe_servers
from local_account.stack import find_stack


@dataclass(frozen=True)
class Component:
    name: str
    state: str
    pid: int | None
    url: str | None


def read_status(account: LocalAccount) -> list[Component]:
    return [*_servers(account), _stack(account)]


def running_jobs(account: LocalAccount) -> list[str]:
    """Lists the names of running and stopping training jobs. Jobs are processes of the emulator and end with it."""
    if "sagemaker" not in account.running():
        return []
    client = account.session().client("sagemaker", endpoint_url=account.settings.sagemaker_endpoint)
    pages = client.get_paginator("list_training_jobs").paginate()
    jobs = [job for page in pages for job in page["TrainingJobSummaries"]]
    return sorted(job["TrainingJobName"] for job in jobs if job["TrainingJobStatus"] in {"InProgress", "Stopping"})


def _servers(account: LocalAccount) -> list[Component]:
    running = account.running()
    return [
        Component(server.name, "running", running[server.name].pid, server.url)
        if server.name in running
        else Component(server.name, "stopped", None, None)
        for server in describe_servers(account.settings, account.key, account.paths)
    ]


def _stack(account: LocalAccount) -> Component:
    if "ministack" not in account.running():
        return Component("stack", "unknown", None, None)
    stack = find_stack(account.settings, account.key)
    if not stack:
        return Component("stack", "absent", None, None)
    return Component("stack", stack.state, None, stack.api_url(account.settings.endpoint))
