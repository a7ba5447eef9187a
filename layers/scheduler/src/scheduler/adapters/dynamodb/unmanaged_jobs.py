"""Stores unmanaged training jobs in the table: the jobs to check, the jobs to watch, and the findings about jobs."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.adapters.dynamodb.records.record_converter import (
    UNKNOWN_TIME,
    Item,
    attribute_values,
    converter,
    read_or_placeholder,
    reader_of,
    record,
)
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, PRESENT, delete, put, set_attributes, update
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob, WatchedJob
from scheduler.ports.job_store import SCHEDULE

UNMANAGED, WATCHED = "UNMANAGED", "WATCHED"
FINDINGS = "FINDINGS"
finding_from, unmanaged_job_from, watched_job_from = reader_of(Finding), reader_of(UnmanagedJob), reader_of(WatchedJob)
#: DynamoDB deletes findings after this time. No training job runs that long, so each is reported once.
FINDINGS_RETENTION = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class DynamoDBUnmanagedJobStore:
    table: Table

    def add_unchecked(self, job: UnmanagedJob, *, by: str) -> None:
        seen_first = "SET #name = :name, seen_at = if_not_exists(seen_at, :seen), changed_by = :by"
        values = {":name": job.name, ":seen": moment(job.seen_at), ":by": by}
        self.table.write(update(unmanaged_job_key(job.name), seen_first, values=values, names={"#name": "name"}))

    def unchecked(self) -> tuple[UnmanagedJob, ...]:
        """Returns the jobs to check. An unreadable record yields a job with only the name in its key."""
        return tuple(
            read_or_placeholder(unmanaged_job_from, item, lambda item: UnmanagedJob(item["sk"]["S"], UNKNOWN_TIME))
            for item in self.table.partition(UNMANAGED)
        )

    def check_later(self, job: UnmanagedJob, tried_at: datetime) -> None:
        tried = {"tried_at": moment(tried_at), "changed_by": SCHEDULE}
        self.table.write(set_attributes(unmanaged_job_key(job.name), tried, PRESENT))

    def watch(self, job: WatchedJob) -> None:
        created = {":created": moment(job.created_at)}
        self.table.write(put(_watched_item(job), f"{ABSENT} OR created_at <> :created", created))

    def save_watched(self, job: WatchedJob) -> None:
        self.table.write(put(_watched_item(job)))

    def watched(self) -> tuple[WatchedJob, ...]:
        """Returns the jobs to watch. An unreadable record yields a job with only the name in its key."""
        return tuple(
            read_or_placeholder(watched_job_from, item, lambda item: WatchedJob(item["sk"]["S"], UNKNOWN_TIME, NOTHING))
            for item in self.table.partition(WATCHED)
        )

    def unwatch(self, name: str) -> None:
        self.table.write(delete(watched_job_key(name)))

    def record_finding(self, finding: Finding) -> bool:
        expires = {"expires_at": int((finding.created_at + FINDINGS_RETENTION).timestamp())}
        return self.table.add(finding_key(finding) | record(converter.unstructure(finding) | expires, SCHEDULE))

    def mark_checked(self, job: UnmanagedJob) -> None:
        self.table.write(delete(unmanaged_job_key(job.name)))

    def findings(self, limit: int) -> tuple[Finding, ...]:
        found = self.table.last(FINDINGS, limit, consistent=False)
        return tuple(read_or_placeholder(finding_from, item, _only_named) for item in found)


def unmanaged_job_key(name: str) -> Item:
    return {"pk": {"S": UNMANAGED}, "sk": {"S": name}}


def watched_job_key(name: str) -> Item:
    return {"pk": {"S": WATCHED}, "sk": {"S": name}}


def _watched_item(job: WatchedJob) -> Item:
    return watched_job_key(job.name) | record(converter.unstructure(job), SCHEDULE)


def finding_key(finding: Finding) -> Item:
    """Returns a separate key for each kind, and for a stop after a warning."""
    kind = f"{finding.kind}{'#stopped' if finding.stopped else ''}"
    return attribute_values({"pk": FINDINGS, "sk": f"{moment(finding.created_at)}#{finding.name}#{kind}"})


def _only_named(unreadable: Item) -> Finding:
    return Finding(unreadable["sk"]["S"].split("#")[1], UNKNOWN_TIME, stopped=False, violations=())
