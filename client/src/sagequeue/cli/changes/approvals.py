"""`sagequeue approve`: approves jobs, by name or by filter, as they are when the approver sees them."""

from datetime import timedelta
from typing import Any

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.changes.job_actions import (
    change_all,
    change_named,
    confirm,
    each,
    filter_for,
    refuse_without_terminal,
    takes_jobs,
)
from sagequeue.cli.options import longest_runtime
from sagequeue.contract.jobs import Job
from sagequeue.jobs.description import instances, instances_text
from sagequeue.tables.formats import short


@click.command()
@takes_jobs
@longest_runtime
def approve(names: tuple[str, ...], *, max_runtime: int | None, yes: bool, as_json: bool, **filters: Any) -> None:
    """Approve jobs that need an approval. Select the jobs by name or with a filter.

    Only operators may approve jobs, and nobody approves their own jobs.
    """
    wanted, queue = filter_for("approve", names, filters), QueueClient()
    if names:
        each(names, lambda name: queue.approve(name, max_runtime=max_runtime), as_json=as_json)
        return
    if not yes:
        refuse_without_terminal()
    seen = [job for job in queue.list(**wanted) if job["reason"]["code"] == "needs_approval"]
    if not yes:
        confirm("approve", [_line(job) for job in seen], len(seen))
    limits = {job["name"]: min(_longest(job), max_runtime or _longest(job)) for job in seen}
    change_all("approve", change_named(queue, "approve", limits, max_runtimes=limits), as_json=as_json)


COMMANDS = (approve,)


def _line(job: Job) -> str:
    choices = [instances_text(choice["instances"]) + " spot" * choice["spot"] for choice in job["choices"]]
    asked = " or ".join(dict.fromkeys(choices)) or instances(job)
    return f"{job['name']}: {asked}, for up to {short(timedelta(seconds=_longest(job)))}"


def _longest(job: Job) -> int:
    """Returns the longest time limit of the job's choices."""
    return max([job["max_runtime"], *(choice["max_runtime"] for choice in job["choices"])])
