"""What ended in a time, summed up by all that it may be asked by: the page's view of history."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from sagequeue.api.client import QueueClient
from sagequeue.contract.history import Change
from sagequeue.reports.figures import hourly
from sagequeue.reports.report import DIMENSIONS, RECORDED_WITHIN, reports
from sagequeue.tables.reports import report_notes

#: A line for each job would be most of the answer.
_BY = tuple(one for one in DIMENSIONS if one != "job")
#: Keys of tags, the most used ones: there may be thousands.
TAGS = 20
#: A key of more values numbers the jobs, as a run's id or a commit does: a line for each would be most of the answer.
VALUES = 200


def ended_since(since: datetime, queue: QueueClient, now: datetime) -> dict[str, object]:
    """As `sagequeue report` tells it. The history is read once, however it is grouped."""
    changes = list(queue.history(since.isoformat(), (now + RECORDED_WITHIN).isoformat()))
    found = reports(changes, [*_BY, *_tags(changes)], since, now, hourly(queue.prices()))
    every = found[_BY[0]]
    return {
        "total": every.total.as_dict(),
        "groups": {by: {name: line.as_dict() for name, line in one.lines.items()} for by, one in found.items()},
        "notes": list(report_notes(every)),
    }


def _tags(changes: Iterable[Change]) -> list[str]:
    jobs = {change["job"]: change["tags"] for change in changes}
    keys = Counter(key for tags in jobs.values() for key in tags)
    values = {key: len({tags[key] for tags in jobs.values() if key in tags}) for key in keys}
    grouping = [key for key, _ in keys.most_common() if values[key] <= VALUES]
    return sorted(f"tag:{key}" for key in grouping[:TAGS])
