"""Decides with the operator's rules what becomes of jobs that failed, or that spot instances do not carry."""

from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.domain.attempt import Sighting
from scheduler.domain.job import Job, JobState
from scheduler.domain.reason import Reason
from scheduler.domain.snapshot import LiveJob
from scheduler.gate import Gate
from scheduler.policy.guardrails.rules import Rules
from scheduler.policy.recovery.leaving_spot import (
    left_at_wait_limit,
    stopped_at_wait_limit,
    why_it_leaves,
)
from scheduler.policy.recovery.recovering import recovered
from scheduler.ports import JobStore


@dataclass(frozen=True, slots=True)
class RecoveryDesk:
    store: JobStore
    gate: Gate

    def after_end(self, job: Job, now: datetime) -> Job:
        """The job as its end left it, or waiting again."""
        if job.state is JobState.FAILED:
            retried = "RetryStrategy" in self.store.request(job.name)
            return recovered(job, self.gate.rules().recovery, now, retried_by_sagemaker=retried)
        if stopped_at_wait_limit(job) and self._may_leave_spot(self.gate.rules(), job, now):
            return left_at_wait_limit(job)
        return job

    def why_it_leaves_spot(self, live: LiveJob, sighting: Sighting, now: datetime) -> Reason | None:
        """Why the attempt is to be stopped and the job to go on on demand."""
        rules = self.gate.rules()
        reason = why_it_leaves(live, sighting, rules.recovery.leaving_spot, now)
        return reason if reason and self._may_leave_spot(rules, live.job, now) else None

    def _may_leave_spot(self, rules: Rules, job: Job, now: datetime) -> bool:
        """Whether the operator allows the cost, and no rule is against the job as it would go on."""
        if not rules.recovery.leaving_spot.allowed:
            return False
        request = self.store.request(job.name)
        is_spot = bool(request.get("EnableManagedSpotTraining"))
        return is_spot and not self.gate.objections(rules, replace(job, on_demand=True), request, now)
