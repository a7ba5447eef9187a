"""The checkpoint prefixes in use: two live attempts on one prefix would overwrite each other (aws-facts 2.46)."""

from collections.abc import Iterable
from functools import lru_cache

from scheduler.core.jobs.job import Job


class CheckpointPrefixes:
    """Finds out who uses a prefix, one around it or one inside it, without comparing it to each."""

    def __init__(self, users: Iterable[Job]) -> None:
        writers = [(job.name, _self_and_parents(job.checkpoint_uri)) for job in users if job.checkpoint_uri]
        self._users = {around[0]: name for name, around in writers}
        self._users_inside = {prefix: name for name, around in writers for prefix in around}

    def add(self, job: Job) -> None:
        its = CheckpointPrefixes([job])
        self._users |= its._users
        self._users_inside |= its._users_inside

    def conflicting_job(self, uri: str | None) -> str | None:
        """One whose prefix contains this one or lies in it, by whole path segments."""
        if uri is None:
            return None
        around = _self_and_parents(uri)
        if inside := self._users_inside.get(around[0]):
            return inside
        return next((self._users[prefix] for prefix in around if prefix in self._users), None)


@lru_cache(maxsize=65_536)
def _self_and_parents(uri: str) -> tuple[str, ...]:
    around = [uri.rstrip("/")]
    while around[-1].count("/") > 2:  # as far as the bucket
        around.append(around[-1].rpartition("/")[0])
    return tuple(around)
