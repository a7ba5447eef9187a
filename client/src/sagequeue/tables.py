"""The queue as people read it in a terminal."""

from collections.abc import Iterable
from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sagequeue.contract import FINISHED, LIVE, Attempt, Job, JobPage
from sagequeue.status import instances

_COLOURS = {"running": "green", "completed": "green", "failed": "red", "rejected": "red", "stopped": "yellow"}


def queue_view(page: JobPage, now: datetime) -> RenderableType:
    """The use of the budget, then the jobs: those with instances, those that wait in their order, those that ended."""
    table = _table("#", "job", "state", "prio", "age", "attempt", "instances", "why")
    for job in sorted(page["jobs"], key=_rank):
        table.add_row(*_row(job, now))
    older = [Text("Older jobs are not shown (--limit).", style="dim")] if page["next"] else []
    return Group(_budget(page), table if page["jobs"] else "The queue has no jobs.", *older)


def job_view(job: Job, now: datetime) -> RenderableType:
    """One job with all its attempts."""
    facts = Table.grid(padding=(0, 2))
    for name, value in _facts(job, now).items():
        facts.add_row(Text(name, style="dim"), value)
    table = _table("attempt", "outcome", "SageMaker says", "started", "ended", "why")
    for attempt in job["attempts"]:
        table.add_row(*_attempt_row(attempt))
    return Group(facts, table) if job["attempts"] else facts


def _table(*columns: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column in {"#", "prio", "age"} else "left", overflow="fold")
    return table


def _budget(page: JobPage) -> Text:
    lines = (f"{line['held']} of {line['limit']} {kind}" for kind, line in sorted(page["budget"].items()))
    return Text(f"in use: {', '.join(lines)}", style="dim")


def _rank(job: Job) -> tuple[int, int]:
    if job["state"] in LIVE:
        return 0, -job["priority"]
    return (2, 0) if job["state"] in FINISHED else (1, job["position"] or 0)


def _row(job: Job, now: datetime) -> Iterable[RenderableType]:
    return (
        str(job["position"] or ""),
        Text(job["name"], style="bold"),
        _state(job),
        str(job["priority"]),
        _age(job["submitted_at"], now),
        str(len(job["attempts"]) or ""),
        instances(job),
        Text(job["reason"]["message"]),
    )


def _facts(job: Job, now: datetime) -> dict[str, RenderableType]:
    return {
        "job": Text(job["name"], style="bold"),
        "state": _state(job),
        "why": Text(job["reason"]["message"]),
        **({"position": str(job["position"])} if job["position"] else {}),
        "priority": str(job["priority"]),
        "instances": instances(job),
        "submitted": Text(f"{job['submitted_at']} by {job['owner']} ({_age(job['submitted_at'], now)} ago)"),
        "preemptions": str(job["preemptions"]),
        "checkpoints": "yes" if job["has_checkpoints"] else "no: a preemption loses the work done so far",
    }


def _attempt_row(attempt: Attempt) -> Iterable[RenderableType]:
    why = attempt["failure_reason"] or (f"for {attempt['beneficiary']}" if attempt["beneficiary"] else "")
    return (
        attempt["name"],
        attempt["outcome"] or "live",
        " ".join(filter(None, (attempt["status"], attempt["secondary_status"]))),
        attempt["training_started_at"] or "",
        attempt["ended_at"] or "",
        Text(why or attempt["message"]),
    )


def _state(job: Job) -> Text:
    return Text(job["state"], style=_COLOURS.get(job["state"], ""))


def _age(since: str, now: datetime) -> str:
    """The two largest units: "3d 4h", "12m 5s"."""
    seconds = max(0, int((now - datetime.fromisoformat(since)).total_seconds()))
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return f"{days}d {hours}h"
    if hours:
        return f"{hours}h {minutes}m"
    return f"{minutes}m {seconds % 60}s" if minutes else f"{seconds}s"
