"""Jobs from their records. One that was read before and has not changed is the same job, and is not converted again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.adapters.quarantine import readable_job

if TYPE_CHECKING:
    from scheduler.adapters.dynamodb_notation import Item
    from scheduler.domain.job import Job

#: Of the longest looks at the queue (MOST_CANDIDATES), two.
_MOST = 4000


class JobReader:
    """Converting the same waiting jobs at each look was a fifth of what a submission computes."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Item, Job]] = {}

    def read(self, item: Item) -> Job:
        key = item["pk"]["S"]
        record, job = self._known.get(key, (None, None))
        if job is None or record != item:
            job = readable_job(item)
            self._keep(key, item, job)
        return job

    def _keep(self, key: str, item: Item, job: Job) -> None:
        """One that cannot be read is told of each time."""
        if job.is_readable:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[key] = item, job
