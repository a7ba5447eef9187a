"""A job's SecondaryStatusTransitions over all its attempts.

The SDKs print what is new at the end of this list while they wait. So it tells the queue's side too, and it does not
get shorter: an attempt has as many entries when it is over as it had while it was live.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any

from sagequeue.contract import LIVE, Attempt, Job
from sagequeue.status import status

Transition = dict[str, Any]

_ENDS = {
    "preempted": "preempted for {beneficiary}; it goes on when its turn comes",
    "never_started": "could not start: {failure_reason}",
}


def transitions(job: Job) -> list[Transition]:
    """Everything that happened to the job, as far as the queue knows."""
    live = job["state"] in LIVE
    over = job["attempts"][:-1] if live else job["attempts"]
    steps = [step for number, attempt in enumerate(over) for step in _over(job, number, attempt)]
    return _with_ends([*steps, *(_live(job) if live else [_now(job)])])


def transitions_with(job: Job, real: Iterable[Transition]) -> list[Transition]:
    """The same, where SageMaker itself tells of the last attempt."""
    last = len(job["attempts"]) - 1
    steps = [step for number, attempt in enumerate(job["attempts"][:last]) for step in _over(job, number, attempt)]
    return _with_ends([*steps, _waited(job, last), *real])


def moment(text: str) -> datetime:
    """A time as botocore gives it: aware, and in the local zone, which SDK v2 relies on when it prints."""
    return datetime.fromisoformat(text).astimezone()


def _over(job: Job, number: int, attempt: Attempt) -> Iterator[Transition]:
    yield _waited(job, number)
    yield _started(attempt)
    if attempt["training_started_at"]:
        yield _step("Training", attempt["training_started_at"], "Training in progress")
    end = _ENDS.get(attempt["outcome"] or "", "{outcome}").format(**attempt)
    yield _step("Interrupted", attempt["ended_at"] or job["updated_at"], f"{attempt['name']}: {end}")


def _live(job: Job) -> Iterator[Transition]:
    attempt = job["attempts"][-1]
    yield _waited(job, len(job["attempts"]) - 1)
    yield _started(attempt)
    if job["state"] == "stopping" and attempt["training_started_at"]:
        yield _step("Training", attempt["training_started_at"], "Training in progress")
    if status(job).secondary not in {"Pending", "Starting"} or attempt["training_started_at"]:
        yield _now(job)


def _waited(job: Job, number: int) -> Transition:
    """The wait before the attempt of that index."""
    since = job["attempts"][number - 1]["ended_at"] if number else job["submitted_at"]
    return _step("Pending", since or job["updated_at"], "queued")


def _started(attempt: Attempt) -> Transition:
    return _step("Starting", attempt["reserved_at"], f"{attempt['name']} starts")


def _now(job: Job) -> Transition:
    now = status(job)
    return _step(now.secondary, job["updated_at"], now.message)


def _step(secondary: str, since: str, message: str) -> Transition:
    return {"Status": secondary, "StartTime": moment(since), "StatusMessage": message}


def _with_ends(steps: list[Transition]) -> list[Transition]:
    """Each step ends where the next one starts."""
    return [{**step, "EndTime": following["StartTime"]} for step, following in pairwise(steps)] + steps[-1:]
