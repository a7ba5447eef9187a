"""Live attempts in the table, with their jobs, and SageMaker's observations of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scheduler.adapters.dynamodb.records.job_records import (
    LIVE_PARTITION,
    RecordReader,
    attempt_key,
    job_key,
    missing_job,
    observation_values,
    readable_attempt,
    readable_job,
    save_values,
)
from scheduler.adapters.dynamodb.records.record_converter import Item
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import PRESENT, Write, set_attributes
from scheduler.core.jobs.attempt import AFTER_AN_END, TERMINAL_STATUSES, Attempt, Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.stop_notice import Save
from scheduler.ports.job_store import NO_JOBS

_TERMINAL_VALUES = {f":{status}": status for status in sorted(TERMINAL_STATUSES)}


class DynamoDBLiveAttempts:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._jobs = RecordReader(readable_job)
        self._attempts = RecordReader(readable_attempt)

    def live(self, known: Mapping[str, Job] = NO_JOBS, /, *, consistent: bool = True) -> tuple[LiveJob, ...]:
        """Reads all live attempts, and their jobs unless `known` has the version that a cycle wrote last.

        A read that may lag can return an attempt without its job: missing jobs are read again, consistently.
        """
        items = [*self._table.partition(LIVE_PARTITION, consistent=consistent)]
        jobs = {job.name: job for item in items if (job := _still_known(item, known)) is not None}
        attempts = [self._attempts.read(item) for item in items]
        unknown_jobs = sorted({attempt.job_name for attempt in attempts} - jobs.keys())
        jobs |= self._read_jobs(self._table, unknown_jobs, consistent=consistent)
        if missing := [name for name in unknown_jobs if name not in jobs]:
            jobs |= self._read_jobs(replace(self._table, consistent=True), missing, consistent=True)
        return tuple(LiveJob(jobs.get(attempt.job_name) or missing_job(attempt), attempt) for attempt in attempts)

    def attempt(self, name: str) -> Attempt | None:
        item = self._table.item(attempt_key(name))
        return readable_attempt(item) if item else None

    def record_observation(self, attempt_name: str, observation: Observation, *, by: str) -> bool:
        return self._table.write(observation_update(attempt_name, observation, by=by))

    def record_save(self, attempt_name: str, save: Save, *, by: str) -> bool:
        return self._table.write(save_update(attempt_name, save, by=by))

    def _read_jobs(self, table: Table, names: Sequence[str], *, consistent: bool) -> dict[str, Job]:
        found = map(self._jobs.read, table.items([job_key(name) for name in names], consistent=consistent))
        return {job.name: job for job in found}


def observation_update(attempt_name: str, observation: Observation, *, by: str) -> Write:
    """Records an observation of a live attempt if it is newer, using `Observation.supersedes` as a write condition."""
    unseen = "attribute_not_exists(observation)"
    older = "observation.modified_at < :modified_at"
    not_ended = f"NOT observation.#status IN ({', '.join(_TERMINAL_VALUES)})"
    long_ended = "observation.modified_at < :long_before"
    news = f"{older} OR {not_ended}" if observation.is_terminal else f"{long_ended} OR ({older} AND {not_ended})"
    observed = observation_values(observation)
    changes = {"changed_by": by, "observation": observed, "needs_polling": observation.is_terminal}
    values = {":modified_at": observed["modified_at"], **_TERMINAL_VALUES}
    if not observation.is_terminal:
        values[":long_before"] = moment(observation.modified_at - AFTER_AN_END)
    condition = f"{PRESENT} AND ({unseen} OR {news})"
    return set_attributes(attempt_key(attempt_name), changes, condition, values, names={"#status": "status"})


def save_update(attempt_name: str, save: Save, *, by: str) -> Write:
    """Records a live attempt's save if it is newer, using `Save.supersedes` as a write condition."""
    changes, news = {"changed_by": by, "saved": save_values(save)}, "attribute_not_exists(saved)"
    if save.step is None:
        return set_attributes(attempt_key(attempt_name), changes, f"{PRESENT} AND {news}")
    news += " OR saved.saved_at < :saved_at"
    if save.answers is not None:
        news += " OR (saved.saved_at = :saved_at AND attribute_not_exists(saved.answers))"
    values = {":saved_at": moment(save.saved_at)}
    return set_attributes(attempt_key(attempt_name), changes, f"{PRESENT} AND ({news})", values)


def _still_known(item: Item, known: Mapping[str, Job]) -> Job | None:
    """Returns the known job if its version equals the version in the attempt's item."""
    job = known.get(item.get("job_name", {}).get("S", ""))
    return job if job is not None and item.get("job_version") == {"N": str(job.version)} else None
