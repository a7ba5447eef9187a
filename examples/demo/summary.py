"""The summary: a timeline of each instance, and the waits and attempts of each job."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from examples.demo.jobs import COLORS
from examples.demo.timeline import Stay, timeline
from examples.demo.verdict import Claim, end, start
from rich.console import Group
from rich.table import Table

from sagequeue.contract.jobs import Attempt, Job


def summary(jobs: Iterable[Job], claims: Iterable[Claim]) -> Group:
    in_order = sorted(jobs, key=lambda job: job["name"])
    return Group(
        "", timeline([stay for job in in_order for stay in stays(job)]), "", table(in_order), "", *checked(claims)
    )


def stays(job: Job) -> list[Stay]:
    return [
        Stay(job["name"], start(attempt), end(attempt), COLORS[job["name"]], attempt["outcome"] == "preempted")
        for attempt in job["attempts"]
    ]


def table(jobs: Iterable[Job]) -> Table:
    lines = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("job", "priority", "waited", "on an instance", "attempts"):
        lines.add_column(heading, justify="left" if heading in {"job", "attempts"} else "right")
    for job in jobs:
        held = time_held(job)
        lines.add_row(
            job["name"],
            str(job["priority"]),
            seconds(time_in_queue(job) - held),
            seconds(held),
            ", then ".join(outcome(attempt) for attempt in job["attempts"]),
            style=COLORS[job["name"]],
        )
    return lines


def outcome(attempt: Attempt) -> str:
    return f"{attempt['outcome']} for {attempt['beneficiary']}" if attempt["beneficiary"] else str(attempt["outcome"])


def time_in_queue(job: Job) -> timedelta:
    return end(job["attempts"][-1]) - datetime.fromisoformat(job["submitted_at"])


def time_held(job: Job) -> timedelta:
    return sum((end(attempt) - start(attempt) for attempt in job["attempts"]), start=timedelta())


def seconds(duration: timedelta) -> str:
    return f"{duration.total_seconds():.0f} s"


def checked(claims: Iterable[Claim]) -> list[str]:
    return [f"[green]✓[/] {claim.text}" if claim.holds else f"[bold red]✗ {claim.text}[/]" for claim in claims]
