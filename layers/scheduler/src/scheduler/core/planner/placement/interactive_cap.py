"""Checks interactive jobs against the cap on the total number of instances that they hold.

People leave such jobs open. Without a cap, they could keep all instances of a type from jobs that train.
"""

from scheduler.core.jobs.demand import total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.snapshot import Snapshot


class InteractiveCap:
    """Counts the instances that interactive jobs hold, including those that a plan in progress gives them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._most = snapshot.policy.interactive_at_most
        self._held = total(live.attempt.demand for live in snapshot.live if live.job.options.interactive)

    def refusal(self, job: Job) -> Reason | None:
        """Returns why the cap keeps the job from starting, even on free instances. It delays no other job."""
        if not job.options.interactive:
            return None
        for line, count in job.spec.demand.counts:
            most, held = self._most.get(line), self._held[line]
            if most is not None and held + count > most:
                message = f"interactive jobs may hold at most {most} × {line} in total (held: {held}, needed: {count})"
                return Reason(ReasonCode.INTERACTIVE_CAP, message)
        return None

    def record_start(self, job: Job) -> None:
        if job.options.interactive:
            self._held += job.spec.demand
