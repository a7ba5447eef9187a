"""Finds checkpoint prefixes in use: live attempts on one prefix overwrite each other's checkpoints (aws-facts 2.46)."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator

from scheduler.core.jobs.job import Job


class CheckpointPrefixes:
    """Finds a job whose checkpoint prefix equals, contains or lies inside a given one, without comparing all prefixes.

    Parents of prefixes are not stored: for a prefix with many segments, they would take far more memory than the
    prefix.
    """

    def __init__(self, users: Iterable[Job]) -> None:
        self._users: dict[str, str] = {}  # names of jobs by the directories that they use
        self._sorted: list[str] = []
        for job in users:
            self.add(job)

    def add(self, job: Job) -> None:
        if job.spec.checkpoint_uri is not None:
            directory = _directory(job.spec.checkpoint_uri)
            self._users[directory] = job.name
            insort(self._sorted, directory)

    def conflicting_job(self, uri: str | None) -> str | None:
        """Returns the name of a job whose prefix equals, contains or lies inside this one, by whole path segments."""
        if uri is None:
            return None
        directory = _directory(uri)
        inside = bisect_left(self._sorted, directory)  # directories inside another directory follow it directly
        if inside < len(self._sorted) and self._sorted[inside].startswith(directory):
            return self._users[self._sorted[inside]]
        return next((self._users[parent] for parent in _parents(directory) if parent in self._users), None)


def _directory(uri: str) -> str:
    return uri.rstrip("/") + "/"


def _parents(directory: str) -> Iterator[str]:
    parent = directory.removesuffix("/")
    while parent.count("/") > 2:  # up to the bucket
        parent = parent.rpartition("/")[0]
        yield f"{parent}/"
