"""The history and reports on it, as people and spreadsheets read them."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract.history import Change
from sagequeue.reports.figures import Line
from sagequeue.reports.report import Report
from sagequeue.tables.formats import local_time
from sagequeue.tables.layout import table_of

_HOUR = 3600
_TOTAL = "total"
_HOURS = ("used h", "billed h", "preempted h", "lost ≤ h", "failed h")  # of instances
_DOLLARS = ("cost $", "saved $", "waste ≤ $")


def history_view(changes: Iterable[Change]) -> RenderableType:
    table = table_of("at", "job", "state", "prio", "done to it", "by", "why")
    for change in changes:
        done = ", ".join(one["kind"].replace("_", " ") for one in change["done"])
        table.add_row(
            local_time(change["recorded_at"]),
            Text(change["job"], style="bold"),
            change["state"],
            str(change["priority"]),
            done,
            Text(_whose(change)),
            Text(_why(change)),
        )
    return table if table.rows else Text("The history has nothing of that time.")


def report_view(found: Report, by: str) -> RenderableType:
    notes = [Text(note, style="yellow") for note in report_notes(found)]
    if not found.total.runs:
        return Group(Text("No attempt ended in that time."), *notes)
    table = table_of(by, "jobs", "runs", "waited", "longest", *_HOURS, *_DOLLARS)
    for name, line in [*found.lines.items(), (_TOTAL, found.total)]:
        table.add_row(Text(name, style="bold" if name == _TOTAL else ""), *_row(line))
    return Group(table, *notes)


def report_csv(found: Report, by: str) -> str:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow([by, *found.total.as_dict()])
    writer.writerows([name, *line.as_dict().values()] for name, line in found.lines.items())
    return text.getvalue()


def report_json(found: Report, by: str) -> dict[str, object]:
    return {
        "by": by,
        "groups": {name: line.as_dict() for name, line in found.lines.items()},
        "total": found.total.as_dict(),
        "missing_changes": found.missing,
        "jobs_with_gaps": list(found.jobs_with_gaps),
    }


def _row(line: Line) -> Iterator[str]:
    yield from (str(len(line.jobs)), str(line.runs))
    yield from (_minutes(line.waited / line.runs), _minutes(line.longest_wait))
    for seconds in (line.trained, line.billable, line.preempted, line.lost_at_most, line.failed):
        yield f"{seconds / _HOUR:.2f}"
    for dollars in (line.cost, line.saved, line.wasted_at_most):
        yield _money(dollars, line)


def _money(dollars: float, line: Line) -> str:
    """Where no price is known there is no figure, and where some are, more than this."""
    if line.unpriced_runs == line.runs:
        return "?"
    return f"{dollars:.2f}" + "+" * (line.unpriced_runs > 0)


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f} min"


def _whose(change: Change) -> str:
    people = [one["by"].rpartition("/")[2] for one in change["done"]]
    return people[-1] if people else ""


def _why(change: Change) -> str:
    reason = change["reason"]
    return reason["message"] or reason["code"].replace("_", " ")


def report_notes(found: Report) -> Iterator[str]:
    """What a reader has to know of the figures: where something is not known, or missing."""
    if count := found.total.unbilled_runs:
        yield f"Of {count} runs SageMaker has not said what it bills."
    if count := found.total.unpriced_runs:
        yield f"Of {count} runs no price is known (sagequeue prices): they are in no sum of dollars."
    if found.missing:
        jobs = ", ".join(found.jobs_with_gaps[:3]) + (" and others" if len(found.jobs_with_gaps) > 3 else "")
        yield f"The history has gaps: {found.missing} changes are missing, of {jobs}."
