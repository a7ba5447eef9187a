"""Reads the jobs in the history for a replay: their submission times, requests and amounts of work."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from sagequeue.contract.history import Change, Run
from sagequeue.contract.jobs import FINISHED
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job, JobOptions, JobSpec, JobStatus
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode

#: After these outcomes, another attempt follows and repeats the unsaved work.
_CONTINUED = frozenset({"preempted", "requeued", "left_spot", "never_started", "vanished"})


@dataclass(frozen=True, slots=True)
class RecordedJob:
    job: Job  # as it was submitted
    work: float  # seconds of training without interruptions
    runs: tuple[Run, ...]  # its recorded attempts


@dataclass(frozen=True, slots=True)
class Recording:
    jobs: tuple[RecordedJob, ...]  # in order of submission
    left_out: int  # jobs that began earlier, have not ended, or never ran
    startup: float  # median seconds from the reservation to the start of training
    stopping: float  # median seconds for which a preempted attempt still holds its instances


def read_recording(changes: Iterable[Change], since: datetime) -> Recording:
    by_job: dict[str, list[Change]] = {}
    for change in sorted(changes, key=lambda change: change["version"]):
        by_job.setdefault(change["job"], []).append(change)
    jobs = [_recorded_job(job_changes) for job_changes in by_job.values() if _can_be_replayed(job_changes, since)]
    startups = [
        _seconds(run["reserved_at"], run["training_started_at"])
        for recorded in jobs
        for run in recorded.runs
        if run["training_started_at"]
    ]
    return Recording(
        tuple(sorted(jobs, key=lambda recorded: (recorded.job.submitted_at, recorded.job.name))),
        len(by_job) - len(jobs),
        median(startups or [0]),
        median([*_stops(by_job.values())] or [0]),
    )


def _can_be_replayed(changes: list[Change], since: datetime) -> bool:
    last = changes[-1]
    is_whole = datetime.fromisoformat(last["submitted_at"]) >= since and last["state"] in FINISHED
    return is_whole and any(_trained(run) for run in _runs(changes))


def _recorded_job(changes: list[Change]) -> RecordedJob:
    first, runs = changes[0], _runs(changes)
    submitted_at = datetime.fromisoformat(first["submitted_at"])
    job = Job(
        name=first["job"],
        owner=first["owner"],
        digest="",
        submitted_at=submitted_at,
        spec=JobSpec(
            demand=Demand.of(first["instances"]),
            max_runtime=first["max_runtime"],
            checkpoint_uri=f"s3://replay/{first['job']}" if first["has_checkpoints"] else None,
        ),
        options=JobOptions(
            first["priority"],
            never_preempt=first["never_preempt"],
            checkpoint_interval=first["checkpoint_interval"],
            team=first["team"] or "",  # the recorded team may be a chosen one
        ),
        status=JobStatus(JobState.PENDING, Reason(ReasonCode.SUBMITTED), updated_at=submitted_at),
    )
    return RecordedJob(job, sum(_useful(run, job) for run in runs), tuple(runs))


def _runs(changes: list[Change]) -> list[Run]:
    known = {change["run"]["number"]: change["run"] for change in changes if change["run"]}
    return [run for _, run in sorted(known.items())]


def saved_seconds(seconds: float, job: Job) -> float:
    """Returns the seconds of training that were saved: none without checkpoints, all without a checkpoint interval."""
    if job.spec.checkpoint_uri is None:
        return 0.0
    return seconds - seconds % job.options.checkpoint_interval if job.options.checkpoint_interval else seconds


def _useful(run: Run, job: Job) -> float:
    if not _trained(run):
        return 0.0
    seconds = _seconds(run["training_started_at"] or "", run["ended_at"])
    return saved_seconds(seconds, job) if run["outcome"] in _CONTINUED else seconds


def _stops(jobs: Iterable[list[Change]]) -> Iterator[float]:
    """Yields the seconds from the decision to preempt to the end of the attempt."""
    for changes in jobs:
        ended: Mapping[int, str] = {run["number"]: run["ended_at"] for run in _runs(changes)}
        for change in changes:
            number = change["run"]["number"] + 1 if change["run"] else 1
            if any(action["kind"] == "preempted" for action in change["done"]) and number in ended:
                yield _seconds(change["changed_at"], ended[number])


def _trained(run: Run) -> bool:
    return run["training_started_at"] is not None


def _seconds(begin: str, end: str) -> float:
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds())
