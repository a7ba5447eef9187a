"""Lists a job's SecondaryStatusTransitions over all its attempts.

The SDKs print new entries at the end of this list while they wait. So the list includes the queue's own transitions,
and never gets shorter: an ended attempt has as many entries as it had while it was live.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any

from sagequeue.contract.jobs import Attempt, Job
from sagequeue.jobs.attempts import live_attempt
from sagequeue.jobs.status import status

Transition = dict[str, Any]

_ENDS = {
    "preempted": "preempted for {beneficiary}; it resumes at its turn",
    "never_started": "could not start: {failure_reason}",
}


def transitions(job: Job) -> list[Transition]:
    """Returns all transitions that the queue knows."""
    live = live_attempt(job)
    if live is None:
        return _with_ends([*_over(job, job["attempts"]), _now(job)])
    earlier = job["attempts"][:-1]
    return _with_ends([*_over(job, earlier), _waited(job, earlier), *_live(job, live)])


def transitions_with(job: Job, real: Iterable[Transition]) -> list[Transition]:
    """Returns the transitions with SageMaker's own ones for the last attempt."""
    earlier = job["attempts"][:-1]
    return _with_ends([*_over(job, earlier), _waited(job, earlier), *real])


def moment(text: str) -> datetime:
    """Returns a time as botocore does: aware, and in the local zone, which SDK v2 relies on when it prints."""
    return datetime.fromisoformat(text).astimezone()


def ending(attempt: Attempt) -> str:
    """Returns how the attempt ended: "resnet-sq-1: preempted for urgent; it resumes at its turn"."""
    end = _ENDS.get(attempt["outcome"] or "", "{outcome}").format(**attempt)
    return f"{attempt['name']}: {end}"


def _over(job: Job, attempts: list[Attempt]) -> Iterator[Transition]:
    """Yields the transitions of ended attempts, each after its wait."""
    for number, attempt in enumerate(attempts):
        yield _waited(job, attempts[:number])
        yield from _begun(attempt)
        yield _step("Interrupted", attempt["ended_at"] or job["updated_at"], ending(attempt))


def _live(job: Job, attempt: Attempt) -> Iterator[Transition]:
    now = status(job)
    started, *training = _begun(attempt)
    yield started
    if now.secondary in {"Interrupted", "Stopping"}:
        yield from training
    if training or now.secondary != "Starting":
        yield _now(job)


def _waited(job: Job, earlier: list[Attempt]) -> Transition:
    """Returns the wait after these attempts."""
    since = earlier[-1]["ended_at"] if earlier else job["submitted_at"]
    return _step("Pending", since or job["updated_at"], "queued")


def _begun(attempt: Attempt) -> Iterator[Transition]:
    yield _step("Starting", attempt["reserved_at"], f"{attempt['name']} starts")
    if attempt["training_started_at"]:
        yield _step("Training", attempt["training_started_at"], "Training in progress")


def _now(job: Job) -> Transition:
    now = status(job)
    return _step(now.secondary, job["updated_at"], now.message)


def _step(secondary: str, since: str, message: str) -> Transition:
    return {"Status": secondary, "StartTime": moment(since), "StatusMessage": message}


def _with_ends(steps: list[Transition]) -> list[Transition]:
    """Sets each transition's end to the start of the next one."""
    return [{**step, "EndTime": following["StartTime"]} for step, following in pairwise(steps)] + steps[-1:]
