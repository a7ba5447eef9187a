"""`sagequeue approve`: approves jobs, by name or by filter, as they are when the approver sees them."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.changes.job_actions import (
    MOST_NAMED,
    change_all,
    confirm,
    each,
    filter_for,
    refuse_without_terminal,
    takes_jobs,
)
from sagequeue.cli.options import longest_runtime
from sagequeue.contract.jobs import ChangedJobs, Job
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
    change_all("approve", _approved(queue, limits), as_json=as_json)


COMMANDS = (approve,)


def _approved(queue: QueueClient, limits: Mapping[str, int]) -> Iterator[ChangedJobs]:
    """Approves these jobs up to the time limits that the approver has seen, and yields the answer for each batch."""
    left = [*limits]
    while left:
        answer = queue.change_named("approve", left[:MOST_NAMED], max_runtimes=limits)
        left = left[len(answer["changed"]) + len(answer["refused"]) :]
        yield {**answer, "left": len(left)}


def _line(job: Job) -> str:
    choices = [instances_text(choice["instances"]) + " spot" * choice["spot"] for choice in job["choices"]]
    asked = " or ".join(dict.fromkeys(choices)) or instances(job)
    return f"{job['name']}: {asked}, for up to {short(timedelta(seconds=_longest(job)))}"


def _longest(job: Job) -> int:
    """Returns the longest time limit of the job's choices."""
    return max([job["max_runtime"], *(choice["max_runtime"] for choice in job["choices"])])
