"""Writes the result of a job as Markdown, for comments on pull requests and for summaries of CI runs."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from sagequeue.contract.jobs import Attempt, Job
from sagequeue.jobs.description import instances
from sagequeue.tables.formats import cost_text, short


def comment_on(job: Job) -> str:
    """Returns a heading, a table of facts, and a table of metrics if there are any."""
    parts = [f"### SageQueue: {_code(job['name'])} is {job['state']}", _table(("", ""), _facts(job))]
    if metrics := job.get("metrics"):
        rows = ((name, f"{value:g}") for name, value in sorted(metrics.items()))
        parts.append(_table(("metric", "last value"), rows))
    return "\n\n".join(parts) + "\n"


def _facts(job: Job) -> Iterator[tuple[str, str]]:
    yield "reason", job["reason"]["message"]
    last = job["attempts"][-1] if job["attempts"] else None
    if last and last["failure_reason"]:
        yield "failure", last["failure_reason"]
    if job["attempts"]:
        yield "attempts", str(job["earlier_attempts"] + len(job["attempts"]))
        yield "trained", short(sum(map(_trained, job["attempts"]), timedelta()))
    yield "instances", instances(job)
    if "cost" in job and (cost := cost_text(job["cost"])):
        yield "cost", cost
    if model := job.get("model_artifacts"):
        yield "model", model


def _trained(attempt: Attempt) -> timedelta:
    started, ended = attempt["training_started_at"], attempt["ended_at"]
    return datetime.fromisoformat(ended) - datetime.fromisoformat(started) if started and ended else timedelta()


def _table(head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    """Returns a table whose values are code, so that no text from a job can mention people or contain a link."""
    lines = [f"| {head[0]} | {head[1]} |", "|---|---|"]
    return "\n".join([*lines, *(f"| {_code(name) if head[0] else name} | {_code(value)} |" for name, value in rows)])


def _code(text: str) -> str:
    """Returns the text as a code span on one line. Bars are escaped, because they would end the table's cell."""
    return "`" + " ".join(text.replace("`", "'").split()).replace("|", "\\|") + "`"
