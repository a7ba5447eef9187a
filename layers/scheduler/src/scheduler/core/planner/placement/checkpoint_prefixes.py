"""Finds checkpoint prefixes in use: two live attempts on one prefix would overwrite each other (aws-facts 2.46)."""

from collections.abc import Iterable
from functools import lru_cache

from scheduler.core.jobs.job import Job


class CheckpointPrefixes:
    """Finds the job that uses a prefix, one that contains it or one inside it, without a comparison with each."""

    def __init__(self, users: Iterable[Job]) -> None:
        writers = [(job.name, _self_and_parents(job.spec.checkpoint_uri)) for job in users if job.spec.checkpoint_uri]
        self._users = {prefixes[0]: name for name, prefixes in writers}
        self._users_inside = {prefix: name for name, prefixes in writers for prefix in prefixes}

    def add(self, job: Job) -> None:
        added = CheckpointPrefixes([job])
        self._users |= added._users
        self._users_inside |= added._users_inside

    def conflicting_job(self, uri: str | None) -> str | None:
        """Returns the name of a job whose prefix contains this one or lies inside it, by whole path segments."""
        if uri is None:
            return None
        prefixes = _self_and_parents(uri)
        if inside := self._users_inside.get(prefixes[0]):
            return inside
        return next((self._users[prefix] for prefix in prefixes if prefix in self._users), None)


@lru_cache(maxsize=65_536)
def _self_and_parents(uri: str) -> tuple[str, ...]:
    prefixes = [uri.rstrip("/")]
    while prefixes[-1].count("/") > 2:  # as far as the bucket
        prefixes.append(prefixes[-1].rpartition("/")[0])
    return tuple(prefixes)
