"""Tables of arrays and their progress."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from rich.console import RenderableType
from rich.text import Text

from sagequeue.contract.arrays import Array
from sagequeue.jobs.description import instances_text
from sagequeue.tables.formats import facts_of, local_time, short, since, table_of
from sagequeue.tables.jobs import owner_name

#: The members of the progress, as tables name them.
_PARTS = {
    "completed": "done",
    "running": "running",
    "waiting": "waiting",
    "held_or_parked": "on hold or parked",
    "failed": "failed",
    "stopped": "stopped",
    "not_created": "to come",
}


def arrays_view(arrays: Sequence[Array], now: datetime) -> RenderableType:
    """Returns one line for each array."""
    if not arrays:
        return Text("The queue has no arrays.")
    table = table_of("array", "state", "jobs", "prio", "age", "owner", "progress")
    for array in arrays:
        table.add_row(
            Text(array["name"], style="bold"),
            array["state"],
            str(array["size"]),
            str(array["priority"]),
            since(array["submitted_at"], now),
            Text(owner_name(array["owner"])),
            progress_text(array),
        )
    return table


def array_view(array: Array, now: datetime) -> RenderableType:
    return facts_of(_facts(array, now))


def progress_text(array: Array) -> str:
    counts = {_PARTS[part]: count for part, count in array["progress"].items() if part in _PARTS}
    return ", ".join(f"{counts[name]} {name}" for name in _PARTS.values() if counts.get(name))


def _facts(array: Array, now: datetime) -> Iterator[tuple[str, Text]]:
    yield "array", Text(array["name"], style="bold")
    yield "state", Text(array["state"])
    yield "jobs", Text(f"{array['size']}: {array['name']}-0 to {array['name']}-{array['size'] - 1}")
    yield "progress", Text(progress_text(array))
    yield "priority", Text(str(array["priority"]))
    yield "owner", Text(array["owner"])
    yield "submitted", Text(f"{local_time(array['submitted_at'])} ({since(array['submitted_at'], now)} ago)")
    instances = instances_text(array["instances"])
    yield "each job", Text(f"{instances}, for up to {short(timedelta(seconds=array['max_runtime']))}")
    if array["approved_by"]:
        yield "approved", Text(f"by {array['approved_by']}")
    if array["at_most"]:
        yield "at most", Text(f"{array['at_most']} jobs run at once")
    if array["most_failures"] is not None:
        yield "failures", Text(f"ends after more than {array['most_failures']} failed jobs")
    if array["held_by"]:
        yield "held by", Text(array["held_by"])
    if array["end"]:
        yield "ended", Text(array["end"].replace("_", " "))
    if array["problem"]:
        yield "problem", Text(array["problem"], "yellow")
