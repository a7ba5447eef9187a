"""The jobs of the history, as somebody would have to submit them again: when, what, and how much work it was."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from sagequeue.contract.history import Change, Run
from sagequeue.contract.jobs import FINISHED
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode

#: An attempt that ended so was to go on: what it had not saved was done again.
_WENT_ON = frozenset({"preempted", "requeued", "left_spot", "never_started", "vanished"})


@dataclass(frozen=True, slots=True)
class PastJob:
    job: Job  # as it was submitted
    work: float  # seconds of training, had nobody interrupted it
    runs: tuple[Run, ...]  # what really became of it


@dataclass(frozen=True, slots=True)
class Learned:
    jobs: tuple[PastJob, ...]  # in order of submission
    left_out: int  # jobs that began before, have not ended, or never ran
    startup: float  # seconds from the reservation to the start of training, as a rule
    stopping: float  # seconds that a preempted attempt still held its instances


def past_of(changes: Iterable[Change], since: datetime) -> Learned:
    of_jobs: dict[str, list[Change]] = {}
    for change in sorted(changes, key=lambda change: change["version"]):
        of_jobs.setdefault(change["job"], []).append(change)
    jobs = [_past_job(told) for told in of_jobs.values() if _can_be_replayed(told, since)]
    startups = [
        _seconds(run["reserved_at"], run["training_started_at"])
        for past in jobs
        for run in past.runs
        if run["training_started_at"]
    ]
    return Learned(
        tuple(sorted(jobs, key=lambda past: (past.job.submitted_at, past.job.name))),
        len(of_jobs) - len(jobs),
        median(startups or [0]),
        median([*_stops(of_jobs.values())] or [0]),
    )


def _can_be_replayed(told: list[Change], since: datetime) -> bool:
    last = told[-1]
    is_whole = datetime.fromisoformat(last["submitted_at"]) >= since and last["state"] in FINISHED
    return is_whole and any(_trained(run) for run in _runs(told))


def _past_job(told: list[Change]) -> PastJob:
    first, runs = told[0], _runs(told)
    submitted_at = datetime.fromisoformat(first["submitted_at"])
    job = Job(
        name=first["job"],
        state=JobState.PENDING,
        priority=first["priority"],
        demand=Demand.of(first["instances"]),
        submitted_at=submitted_at,
        updated_at=submitted_at,
        owner=first["owner"],
        digest="",
        reason=Reason(ReasonCode.SUBMITTED),
        max_runtime=first["max_runtime"],
        checkpoint_uri=f"s3://replay/{first['job']}" if first["has_checkpoints"] else None,
        checkpoint_interval=first["checkpoint_interval"],
        never_preempt=first["never_preempt"],
    )
    return PastJob(job, sum(_useful(run, job) for run in runs), tuple(runs))


def _runs(told: list[Change]) -> list[Run]:
    known = {change["run"]["number"]: change["run"] for change in told if change["run"]}
    return [run for _, run in sorted(known.items())]


def saved_of(seconds: float, job: Job) -> float:
    """What of so much training is in a checkpoint; of a job that does not tell how often it saves, all of it."""
    if job.checkpoint_uri is None:
        return 0.0
    return seconds - seconds % job.checkpoint_interval if job.checkpoint_interval else seconds


def _useful(run: Run, job: Job) -> float:
    if not _trained(run):
        return 0.0
    seconds = _seconds(run["training_started_at"] or "", run["ended_at"])
    return saved_of(seconds, job) if run["outcome"] in _WENT_ON else seconds


def _stops(jobs: Iterable[list[Change]]) -> Iterator[float]:
    """From the wish to the end."""
    for told in jobs:
        ended: Mapping[int, str] = {run["number"]: run["ended_at"] for run in _runs(told)}
        for change in told:
            number = change["run"]["number"] + 1 if change["run"] else 1
            if any(one["kind"] == "preempted" for one in change["done"]) and number in ended:
                yield _seconds(change["changed_at"], ended[number])


def _trained(run: Run) -> bool:
    return run["training_started_at"] is not None


def _seconds(begin: str, end: str) -> float:
    return max(0.0, (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds())
