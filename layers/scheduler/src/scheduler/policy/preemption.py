"""Which running jobs make room for a newcomer: only lower ones, only for a proven fit, none more than needed."""

from collections.abc import Iterable
from datetime import UTC, datetime

from scheduler.domain.demand import Demand, total
from scheduler.domain.job import Job, JobState
from scheduler.domain.snapshot import LiveJob


def choose_victims(newcomer: Job, available: Demand, live: Iterable[LiveJob]) -> tuple[LiveJob, ...]:
    """The jobs to stop so that the newcomer fits into what is available then; empty if no choice makes it fit."""
    taken: list[LiveJob] = []
    for candidate in sorted(filter(lambda one: _may_be_preempted_by(newcomer, one), live), key=eviction_order):
        if newcomer.demand.fits(available + _freed(taken)):
            break
        taken.append(candidate)
    if not newcomer.demand.fits(available + _freed(taken)):
        return ()
    return _give_back_unneeded(newcomer, available, taken)


def eviction_order(live: LiveJob) -> tuple[int, float, str]:
    """Lowest priority first, then most recently started (least work lost), then name for determinism."""
    return (live.job.priority, -_started_at(live).timestamp(), live.job.name)


def _may_be_preempted_by(newcomer: Job, live: LiveJob) -> bool:
    # An attempt whose creation is not confirmed cannot be stopped yet.
    return (
        live.job.state is JobState.RUNNING
        and live.attempt.created
        and live.job.priority < newcomer.priority
        and live.attempt.demand.shares_a_type_with(newcomer.demand)
    )


def _give_back_unneeded(newcomer: Job, available: Demand, taken: list[LiveJob]) -> tuple[LiveJob, ...]:
    # From the last one taken: the jobs most worth keeping are spared first.
    for candidate in reversed(taken[:]):
        others = [victim for victim in taken if victim is not candidate]
        if newcomer.demand.fits(available + _freed(others)):
            taken = others
    return tuple(taken)


def _freed(victims: Iterable[LiveJob]) -> Demand:
    return total(victim.attempt.demand for victim in victims)


def _started_at(live: LiveJob) -> datetime:
    sighting = live.attempt.sighting
    started = sighting.training_started_at if sighting else None
    return (started or live.attempt.reserved_at).astimezone(UTC)
