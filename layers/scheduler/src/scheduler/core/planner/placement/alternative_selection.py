"""With which of its choices a job is considered, and which it takes.

A job is considered with its first open choice: for that one places are kept and others are stopped. It starts with the
first open choice that is free at once. A choice is open if the whole budget holds it, nothing is known against it, its
user has waited long enough for the better ones, and SageMaker did not lack its instances lately.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from attrs import evolve

from scheduler.core.jobs.attempt import FailureClass
from scheduler.core.jobs.job import Job
from scheduler.core.planner.placement.shortage_avoidance import Placement
from scheduler.core.planner.snapshot import Snapshot


def considered(snapshot: Snapshot, now: datetime) -> Snapshot:
    """The snapshot with each queued job as it would be if it took its first open choice."""
    if not any(job.choices for job in snapshot.queued):
        return snapshot
    placement = Placement(snapshot, now)
    queued = (_first_open(job, snapshot, placement, now) if job.choices else job for job in snapshot.queued)
    return evolve(snapshot, queued=tuple(queued))


def open_choices(job: Job, snapshot: Snapshot, placement: Placement, now: datetime) -> Iterator[Job]:
    """The job as it would be with each of its open choices, the best first."""
    for option in _possible(job, snapshot):
        has_waited = now - job.waits_since >= timedelta(seconds=job.choices[option.choice].wait_for_better)
        if has_waited and not _lacked_capacity(option, now) and placement.subnet_for(option) is not None:
            yield option


def _first_open(job: Job, snapshot: Snapshot, placement: Placement, now: datetime) -> Job:
    """If none is open, the best one that the budget of the time holds; if there is none such, the best.

    Never one that is closed, as long as another is left: it would be planned, and barred, again and again.
    """
    options = open_choices(job, snapshot, placement, now)
    return next(options, None) or next(_possible(job, snapshot), None) or next(_left(job, snapshot), job.as_choice(0))


def _possible(job: Job, snapshot: Snapshot) -> Iterator[Job]:
    for option in _left(job, snapshot):
        if option.demand.fits(snapshot.budget.limit):
            yield option


def _left(job: Job, snapshot: Snapshot) -> Iterator[Job]:
    for number in range(len(job.choices)):
        if (job.name, number) not in snapshot.closed_choices:
            yield job.as_choice(number)


def _lacked_capacity(option: Job, now: datetime) -> bool:
    """Of several types no shortage is remembered, so the pause after the job's own failure counts."""
    last = option.history[-1] if option.history else None
    return (
        last is not None
        and last.failure_class is FailureClass.CAPACITY
        and last.choice == option.choice
        and len(option.demand.counts) > 1
        and option.not_before is not None
        and option.not_before > now
    )
