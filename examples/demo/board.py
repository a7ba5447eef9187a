"""Shows the queue as a table."""

from collections.abc import Iterable

from examples.demo.jobs import COLORS
from rich.table import Table
from rich.text import Text

from sagequeue.contract.jobs import LIVE, QUEUED, Job


def board(jobs: Iterable[Job]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", collapse_padding=True)
    for heading in ("job", "priority", "state", "attempt", "instances", "why"):
        table.add_column(heading, justify="right" if heading in {"priority", "attempt"} else "left")
    for job in sorted(jobs, key=lambda job: job["name"]):
        table.add_row(*row(job), style=COLORS[job["name"]])
    return table


def row(job: Job) -> tuple[str | Text, ...]:
    return (
        job["name"],
        str(job["priority"]),
        Text(job["state"], style=emphasis(job["state"])),
        str(len(job["attempts"]) or "–"),
        " + ".join(f"{count} × {kind}" for kind, count in job["instances"].items()),
        job["reason"]["message"],
    )


def emphasis(state: str) -> str:
    """Returns the style of a state: bold for live jobs, dim for finished ones."""
    if state in LIVE:
        return "bold"
    return "" if state in QUEUED else "dim"
