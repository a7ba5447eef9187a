"""Defines the actions on a whole array: the change to its record, and the change to each child that exists.

A child that was requeued counts as ended until it starts again, so the actions do not reach it before then.
"""

from dataclasses import replace
from datetime import datetime

from scheduler.core.jobs import user_actions
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.requests.arrays.job_array import (
    BY_QUEUE,
    CANCELS_CHILDREN,
    WHY_ENDED,
    ArrayEnd,
    JobArray,
    Wish,
)
from scheduler.core.requests.job_update import JobUpdate, updated
from scheduler.errors.wrong_state import ArrayEnded, ArrayHeld


def cancelled(array: JobArray, caller: str) -> JobArray:
    if array.end is ArrayEnd.CANCELLED:
        return array
    wish = array.wish or Wish(caller)  # without one, the next pass would not reach an array whose children all run
    return replace(array, end=ArrayEnd.CANCELLED, ended_by=caller, wish=wish)


def held(array: JobArray, caller: str) -> JobArray:
    wish = array.wish and replace(array.wish, releases=False)
    return replace(array, held_by=array.held_by or caller, wish=wish)


def released(array: JobArray, caller: str) -> JobArray:
    """Returns the array without its hold. If its request was unreadable, the queue then tries to read it again."""
    problem = "" if array.held_by == BY_QUEUE else array.problem
    return replace(
        array, held_by="", problem=problem, wish=replace(array.wish or Wish(caller), by=caller, releases=True)
    )


def prioritised(array: JobArray, priority: int, caller: str) -> JobArray:
    options = replace(array.first.options, priority=priority)
    wish = replace(array.wish or Wish(caller), by=caller, priority=priority)
    return replace(array, first=replace(array.first, options=options), wish=wish)


def approved(array: JobArray, caller: str, now: datetime, max_runtime: int | None) -> JobArray:
    """Returns the array with an approval of all its children. Raises BadRequest as for a job."""
    first = user_actions.approve(array.first, caller, now, max_runtime)
    return replace(array, first=first, wish=array.wish or Wish(caller))


def refuse_requeue(array: JobArray, child: str) -> None:
    """Raises ArrayEnded or ArrayHeld if the child cannot run again."""
    if array.end:
        raise ArrayEnded(f"{child} cannot run again: its array {array.name} {WHY_ENDED[array.end]}")
    refuse_release(array, child)


def refuse_release(array: JobArray, child: str) -> None:
    """Raises ArrayHeld if the whole array is on hold."""
    if array.held_by:
        message = f"{child} cannot start: its array {array.name} is held by {array.held_by}"
        raise ArrayHeld(message, remedy=f"Release the array first: POST /arrays/{array.name}/release.")


def as_array_asks(child: Job, array: JobArray, now: datetime) -> Job:
    """Returns the unfinished child with its array's requests applied; the same object if nothing changes.

    After too many failures, children that have run continue: a running child may wait again to change its instances.
    """
    continues = array.end is ArrayEnd.TOO_MANY_FAILURES and (child.is_live or _has_run(child))
    if array.end in CANCELS_CHILDREN and not continues:
        by = array.ended_by or f"the limit of failures of {array.name}"
        return child if child.was_cancelled else user_actions.cancel(child, by, now)
    child = _as_wished(_as_approved(child, array, now), array.wish, now)
    return user_actions.hold(child, array.held_by, now) if array.held_by and child.is_queued else child


def _has_run(child: Job) -> bool:
    """Returns whether SageMaker has created any of the child's finished attempts."""
    return child.trained_seconds > 0 or any(
        ended.outcome is not Outcome.NEVER_STARTED for ended in child.status.history
    )


def _as_approved(child: Job, array: JobArray, now: datetime) -> Job:
    """Returns the child with its array's approval, unless its user has given it a longer time limit since."""
    approval, choices = array.first.status.approval, child.each_choice
    if approval is None or all(choice.is_approved for choice in choices):
        return child
    covers = all(approval.covers(choice.spec.choice, choice.spec.max_runtime) for choice in choices)
    return user_actions.with_approval(child, approval, now) if covers else child


def _as_wished(child: Job, wish: Wish | None, now: datetime) -> Job:
    if wish is None:
        return child
    if wish.releases and child.status.state is JobState.HELD:
        child = user_actions.release(child, wish.by, now)
    if wish.priority is not None:
        child = updated(child, JobUpdate({"priority": wish.priority}), wish.by, now)
    return child
