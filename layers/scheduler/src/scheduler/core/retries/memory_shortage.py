"""Finds the choices with which a job can continue after an attempt had too little memory.

The queue does not know how much memory an instance type has. It leaves out the types on which the job has run out of
memory, and tries the others in the order of the job's choices: the user's, or the best first.
"""

from scheduler.core.jobs.attempt import EndedAttempt, FailureClass
from scheduler.core.jobs.demand import type_of
from scheduler.core.jobs.job import Job


def choices_of_other_types(job: Job) -> list[int]:
    """Returns the numbers of the choices without any type on which a recent attempt ran out of memory."""
    too_small = {kind for ended in job.status.history for kind in _too_small(job, ended)}
    return [choice.choice for choice in job.choices if too_small.isdisjoint(map(type_of, choice.demand))]


def can_change_type(job: Job, ended: EndedAttempt) -> bool:
    """Returns whether the job may continue on another type after `ended`, its last attempt, ran out of memory.

    This is allowed only if its earlier attempts did not run out of memory on the same type. Otherwise, a job whose
    other choices the rules forbid would fail again and again.
    """
    small = _too_small(job, ended)
    known = {kind for earlier in job.status.history[:-1] for kind in _too_small(job, earlier)}
    return bool(small) and small.isdisjoint(known) and bool(choices_of_other_types(job.with_last_attempt(ended)))


def _too_small(job: Job, ended: EndedAttempt) -> frozenset[str]:
    ran_out = ended.failure_class is FailureClass.OUT_OF_MEMORY
    return frozenset(map(type_of, job.demand_of(ended))) if ran_out else frozenset()
