"""Sums up ended attempts by every dimension, for the page's view of history."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from sagequeue.api.client import QueueClient
from sagequeue.contract.history import Change
from sagequeue.reports.figures import hourly
from sagequeue.reports.report import DIMENSIONS, RECORDED_WITHIN, reports
from sagequeue.tables.reports import report_notes

#: Not by job: a line for each job would be most of the answer.
_BY = tuple(dimension for dimension in DIMENSIONS if dimension != "job")
#: Only the most used tag keys: thousands may exist.
TAGS = 20
#: A tag key with more values identifies jobs, such as a run's id or a commit: it would be most of the answer.
VALUES = 200


def ended_since(since: datetime, queue: QueueClient, now: datetime) -> dict[str, object]:
    """Returns the figures of `sagequeue report` by every dimension, with one read of the history."""
    changes = list(queue.history(since.isoformat(), (now + RECORDED_WITHIN).isoformat()))
    found = reports(changes, [*_BY, *_tags(changes)], since, now, hourly(queue.prices()))
    any_report = found[_BY[0]]
    return {
        "total": any_report.total.as_dict(),
        "groups": {by: {name: line.as_dict() for name, line in report.lines.items()} for by, report in found.items()},
        "notes": list(report_notes(any_report)),
    }


def _tags(changes: Iterable[Change]) -> list[str]:
    jobs = {change["job"]: change["tags"] for change in changes}
    keys = Counter(key for tags in jobs.values() for key in tags)
    values = {key: len({tags[key] for tags in jobs.values() if key in tags}) for key in keys}
    grouping = [key for key, _ in keys.most_common() if values[key] <= VALUES]
    return sorted(f"tag:{key}" for key in grouping[:TAGS])
