"""Reads live attempts with their jobs. Each attempt notes which version of its job a cycle wrote last."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scheduler.adapters.dynamodb.records.attribute_values import Item
from scheduler.adapters.dynamodb.records.items import LIVE, job_key
from scheduler.adapters.dynamodb.records.record_reader import RecordReader
from scheduler.adapters.dynamodb.records.unreadable_records import missing_job
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob


def read_live_jobs(
    table: Table,
    job_reader: RecordReader[Job],
    attempt_reader: RecordReader[Attempt],
    known: Mapping[str, Job],
    *,
    consistent: bool,
) -> tuple[LiveJob, ...]:
    """Reads all live attempts, and their jobs unless `known` has the noted version.

    A read that may lag can return an attempt without its job: missing jobs are read again, consistently.
    """
    items = [*table.partition(LIVE, consistent=consistent)]
    jobs = {job.name: job for item in items if (job := _still_known(item, known)) is not None}
    attempts = [attempt_reader.read(item) for item in items]
    unknown_jobs = sorted({attempt.job_name for attempt in attempts} - jobs.keys())
    jobs |= _read_jobs(table, job_reader, unknown_jobs, consistent=consistent)
    if missing := [name for name in unknown_jobs if name not in jobs]:
        jobs |= _read_jobs(replace(table, consistent=True), job_reader, missing, consistent=True)
    return tuple(LiveJob(jobs.get(attempt.job_name) or missing_job(attempt), attempt) for attempt in attempts)


def _read_jobs(table: Table, reader: RecordReader[Job], names: Sequence[str], *, consistent: bool) -> dict[str, Job]:
    found = map(reader.read, table.items([job_key(name) for name in names], consistent=consistent))
    return {job.name: job for job in found}


def _still_known(item: Item, known: Mapping[str, Job]) -> Job | None:
    job = known.get(item.get("job_name", {}).get("S", ""))
    return job if job is not None and item.get("job_version") == {"N": str(job.version)} else None
