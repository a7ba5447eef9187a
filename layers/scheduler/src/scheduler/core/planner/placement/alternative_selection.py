"""Selects the choices that a plan uses for a job with alternatives: one to plan for, and one to start now.

The plan makes reservations and preemptions for the job's first open choice. The job starts with its first open choice
whose instances are free now. A choice is open if it meets all these conditions:
- It fits the whole budget, and the share of the job's team.
- No rule refuses it.
- The job has waited for better choices for as long as its user requested.
- SageMaker has not recently run short of its instances. If an elastic job's last attempt got no instances, this also
  excludes its width and wider ones, but not its narrowest width.
- The job has not run out of memory on its instance type, unless the same holds for all its choices.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from scheduler.core.capacity.capacity_learning import lacked_instances
from scheduler.core.capacity.capacity_memory import LONG_WAIT
from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.placement.shortage_avoidance import ShortageAvoidance
from scheduler.core.planner.shared_capacity import whole_budget
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.retries.memory_shortage import choices_of_other_types


def select_alternatives(snapshot: Snapshot, now: datetime) -> Snapshot:
    """Returns the snapshot with each queued job set to its first open choice."""
    if not any(job.choices for job in snapshot.queued):
        return snapshot
    shortages, whole = ShortageAvoidance(snapshot, now), whole_budget(snapshot)
    queued = (_first_open(job, snapshot, shortages, whole, now) if job.choices else job for job in snapshot.queued)
    return replace(snapshot, queued=tuple(queued))


def open_choices(
    job: Job, snapshot: Snapshot, shortages: ShortageAvoidance, whole: FreeCapacity, now: datetime
) -> Iterator[Job]:
    """Yields the job set to each of its open choices in turn, best choice first. `whole` is the whole budget."""
    for option in _within_budget(job, snapshot, whole):
        has_waited = now - job.waits_since >= timedelta(seconds=option.spec.wait_for_better)
        if has_waited and not _lacked_capacity(option, now) and shortages.subnet_for(option) is not None:
            yield option


def _first_open(job: Job, snapshot: Snapshot, shortages: ShortageAvoidance, whole: FreeCapacity, now: datetime) -> Job:
    """Returns the job set to its first open choice; if none is open, to its best choice, preferably within the budget.

    If a rule refuses a choice, the choice is selected only if no other choice is left: otherwise, it would be planned
    and refused in a loop.
    """
    open_option = next(open_choices(job, snapshot, shortages, whole, now), None)
    return (
        open_option
        or next(_within_budget(job, snapshot, whole), None)
        or next(_allowed(job, snapshot), job.as_choice(0))
    )


def _within_budget(job: Job, snapshot: Snapshot, whole: FreeCapacity) -> Iterator[Job]:
    return (option for option in _allowed(job, snapshot) if whole.fits(option))


def _allowed(job: Job, snapshot: Snapshot) -> Iterator[Job]:
    in_order = snapshot.choice_costs.numbers_in_order(job)
    numbers = [number for number in in_order if (job.name, number) not in snapshot.closed_choices]
    if job.is_narrowed:  # the job takes no instances beyond those held for it
        numbers = [number for number in numbers if number >= job.spec.choice] or numbers
    with_memory = choices_of_other_types(job)
    numbers = [number for number in numbers if number in with_memory] or numbers
    return map(job.as_choice, numbers)


def _lacked_capacity(option: Job, now: datetime) -> bool:
    """Returns whether this choice must pause because its own last attempt got no instances.

    Shortages are not remembered for choices with several instance types. After a capacity failure, the retry's pause
    applies. If the attempt was stopped after a long wait, the choice pauses for LONG_WAIT. Otherwise, the job would
    never use another choice. An elastic job leaves out its last width and wider ones in its next attempt, unless its
    user has requeued it since.
    """
    last = option.status.history[-1] if option.status.history else None
    if last is not None and option.options.instances and not option.continues:
        released_at = option.status.released_at
        is_requeued = released_at is not None and released_at > last.ended_at
        return not is_requeued and lacked_instances(last) and not _is_worth_a_try(option, last)
    if last is None or last.choice != option.spec.choice or len(option.spec.demand.counts) == 1:
        return False
    if last.outcome is Outcome.REQUEUED:
        has_waited = last.training_started_at is None and last.ended_at - last.reserved_at >= LONG_WAIT
        return has_waited and now < last.ended_at + LONG_WAIT
    pauses_until = option.status.not_before
    return last.failure_class is FailureClass.CAPACITY and pauses_until is not None and now < pauses_until


def _is_worth_a_try(option: Job, last: EndedAttempt) -> bool:
    """Returns whether the width is narrower than the last attempt's, or the narrowest.

    All widths come from one location, so the memory of shortages does not show which of them SageMaker has.
    """
    return option.spec.choice > last.choice or option.spec.choice == len(option.choices) - 1
