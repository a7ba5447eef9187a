"""Checks jobs against the caps on running jobs: of one owner, of one array, and on all interactive jobs together.

People leave interactive jobs open. Without a cap, they could keep all instances of a type from jobs that train.
"""

from collections import Counter

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


class RunningCaps:
    """Counts the jobs that run, and those that a plan in progress starts, against all caps."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.interactive = InteractiveCap(snapshot)
        self._of_owner = snapshot.policy.running_per_owner
        self._by_owner = Counter(live.job.owner_key for live in snapshot.live if self._of_owner)
        self._by_array = Counter(live.job.array for live in snapshot.live)

    def refusal(self, job: Job) -> Reason | None:
        """Returns why a cap keeps the job from starting, even on free instances. It delays no other job."""
        if refusal := self.interactive.refusal(job):
            return refusal
        running = self._by_owner[job.owner_key]
        if 0 < self._of_owner <= running:
            counts = f"{self._of_owner} (running or about to start: {running})"
            return Reason(ReasonCode.OWNER_CAP, f"its owner has reached the limit on running jobs, {counts}")
        if job.place and 0 < job.place.at_most <= self._by_array[job.place.array]:
            message = f"its array {job.place.array} runs at most {job.place.at_most} jobs at once"
            return Reason(ReasonCode.ARRAY_LIMIT, message)
        return None

    def record_start(self, job: Job) -> None:
        self.interactive.record_start(job)
        self._by_owner[job.owner_key] += 1
        if job.place:
            self._by_array[job.place.array] += 1
