"""What the table's stream tells a cycle."""

from typing import Any

from scheduler.adapters.dynamodb.records.items import JOB_PREFIX


def changed_jobs(event: dict[str, Any]) -> frozenset[str]:
    """The names of jobs whose records the event is about; none for a sweep."""
    keys = (record["dynamodb"]["Keys"]["pk"]["S"] for record in event.get("Records", ()))
    return frozenset(key.removeprefix(JOB_PREFIX) for key in keys if key.startswith(JOB_PREFIX))
