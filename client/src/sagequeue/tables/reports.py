"""The history, reports, and the use of instances over time, as tables, CSV and JSON."""

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from io import StringIO

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract.history import Change
from sagequeue.reports.figures import Line
from sagequeue.reports.report import Report
from sagequeue.reports.usage import Mark, Usage
from sagequeue.tables.formats import brief, local_time, table_of

_HOUR = 3600
_TOTAL = "total"
_HOURS = ("used h", "billed h", "preempted h", "lost ≤ h", "failed h")  # of instances
_DOLLARS = ("cost $", "saved $", "waste ≤ $")
_COLUMNS = ("jobs", "runs", "waited", "longest", *_HOURS, *_DOLLARS)
_OF_PURCHASES = ("jobs", "runs", "used h", "billed h", "interrupted", "per 100 h", "useful", "cost $", "$ per useful h")


def history_view(changes: Iterable[Change]) -> RenderableType:
    table = table_of("at", "job", "state", "prio", "actions", "by", "why")
    for change in changes:
        done = ", ".join(action["kind"].replace("_", " ") for action in change["done"])
        table.add_row(
            local_time(change["recorded_at"]),
            Text(change["job"], style="bold"),
            change["state"],
            str(change["priority"]),
            done,
            Text(_last_caller(change)),
            Text(_why(change)),
        )
    return table if table.rows else Text("No changes in this period.")


def report_view(found: Report, by: str) -> RenderableType:
    notes = [Text(note, style="yellow") for note in (*report_notes(found), *_notes_on_useful_time(found, by))]
    if not found.total.runs:
        return Group(Text("No attempt ended in this period."), *notes)
    columns, row = (_OF_PURCHASES, _row_of_purchase) if by == "purchase" else (_COLUMNS, _row)
    table = table_of(by, *columns)
    for name, line in [*found.lines.items(), (_TOTAL, found.total)]:
        table.add_row(Text(name, style="bold" if name == _TOTAL else ""), *row(line))
    return Group(table, *notes)


def report_csv(found: Report, by: str) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([by, *found.total.as_dict()])
    writer.writerows([_csv_text(name), *line.as_dict().values()] for name, line in found.lines.items())
    return text.getvalue()


def _csv_text(text: str) -> str:
    """Returns a cell that no spreadsheet reads as a formula: an apostrophe marks it as text."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def report_json(found: Report, by: str) -> dict[str, object]:
    return {
        "by": by,
        "groups": {name: line.as_dict() for name, line in found.lines.items()},
        "total": found.total.as_dict(),
        "missing_changes": found.missing,
        "jobs_with_gaps": list(found.jobs_with_gaps),
    }


def usage_view(found: Usage) -> RenderableType:
    """Returns a line for each step of each group, and one for each preemption and budget change."""
    begin, step = datetime.fromisoformat(found["begin"]), timedelta(seconds=found["step_seconds"])
    table = table_of("group", "from", "held", "waiting", "limit")
    for group in found["groups"]:
        limits = map(_count, group["limit"]) if "limit" in group else [""] * found["steps"]
        series = zip(map(_count, group["held"]), map(_count, group["waiting"]), limits, strict=True)
        for index, counts in enumerate(series):
            table.add_row(Text(group["name"], style="bold"), f"{(begin + index * step).astimezone():%a %H:%M}", *counts)
    if not table.rows:
        return Text("No job held or waited for instances in this period.")
    return Group(table, *(Text(_said(mark)) for mark in found["marks"]))


def _count(mean: float) -> str:
    return str(mean).removesuffix(".0")


def _said(mark: Mark) -> str:
    about = ", ".join(f"{count} × {kind}" for kind, count in mark["instances"].items())
    by = (mark["by"] or "").rpartition("/")[2]
    beneficiary = f"for {by}" if by else "to meet the budget"
    what = f"{mark['job']} was preempted {beneficiary}" if mark["job"] else f"{by} set the budget"
    return f"{local_time(mark['at'])}  {what}: {about}"


def _row(line: Line) -> Iterator[str]:
    yield from (str(len(line.jobs)), str(line.runs))
    yield from (_minutes(line.waited / line.runs), _minutes(line.longest_wait))
    for seconds in (line.trained, line.billable, line.preempted, line.lost_at_most, line.failed):
        yield f"{seconds / _HOUR:.2f}"
    for dollars in (line.cost, line.saved, line.wasted_at_most):
        yield _money(dollars, line)


def _row_of_purchase(line: Line) -> Iterator[str]:
    yield from (str(len(line.jobs)), str(line.runs), f"{line.trained / _HOUR:.2f}", f"{line.billable / _HOUR:.2f}")
    rate, useful, price = line.interruptions_per_100_hours, line.useful_share, line.dollars_per_useful_hour
    yield from (str(line.interruptions), _or_unknown(rate, "{:.1f}"), _or_unknown(useful, "{:.0%}"))
    yield from (_money(line.cost, line), _or_unknown(price, "{:.2f}"))


def _or_unknown(value: float | None, form: str) -> str:
    return "?" if value is None else form.format(value)


def _money(dollars: float, line: Line) -> str:
    """Returns "?" if no price is known, and adds a "+" if only some prices are missing."""
    if line.unpriced_runs == line.runs:
        return "?"
    return f"{dollars:.2f}" + "+" * (line.unpriced_runs > 0)


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f} min"


def _last_caller(change: Change) -> str:
    callers = [action["by"].rpartition("/")[2] for action in change["done"]]
    return callers[-1] if callers else ""


def _why(change: Change) -> str:
    reason = change["reason"]
    return brief(reason["message"]) or reason["code"].replace("_", " ")


def report_notes(found: Report) -> Iterator[str]:
    """Yields notes on figures that are unknown or missing."""
    if count := found.total.measured_losses:
        total = found.total.preemptions
        yield f"Lost work is measured for {count} of {total} preemptions; for the rest, it is an upper bound."
    if count := found.total.unbilled_runs:
        yield f"SageMaker has not reported the billed time of {_runs(count)}."
    if count := found.total.unpriced_runs:
        yield f"Costs leave out {_runs(count)} without a known price; see `sagequeue prices`."
    if found.missing:
        jobs = ", ".join(found.jobs_with_gaps[:3]) + (" and other jobs" if len(found.jobs_with_gaps) > 3 else "")
        yield f"The history lacks {found.missing} {'change' if found.missing == 1 else 'changes'} to {jobs}."


def _notes_on_useful_time(found: Report, by: str) -> Iterator[str]:
    if by == "purchase" and (count := found.total.unjudged_runs):
        yield f"Useful time leaves out {_runs(count)} on spot: their jobs do not state `checkpoint_interval`."


def _runs(count: int) -> str:
    return f"{count} run{'' if count == 1 else 's'}"
