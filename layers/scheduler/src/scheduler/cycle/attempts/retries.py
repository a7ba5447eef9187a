"""Applies the operator's retry policy: requeues failed jobs, and moves jobs from spot to on-demand instances."""

from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from scheduler.core.configuration.configuration import Configuration
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.retries.failure_classes import needs_log
from scheduler.core.retries.retry_decision import (
    decide_retry,
    leave_spot_at_wait_limit,
    may_leave_spot,
    reason_to_leave_spot,
    stopped_at_wait_limit,
)
from scheduler.cycle.services import CycleServices
from scheduler.errors.unreadable import UnreadableBody


@dataclass(frozen=True, slots=True)
class Retries:
    services: CycleServices

    def after_end(self, job: Job, now: datetime) -> Job:
        """Returns the job in its state after the end, or requeued."""
        if job.status.state is JobState.FAILED:
            policy = self.services.configuration.current().retries
            request = self._request(job)
            if request is None:
                return job
            ended, retried = job.status.history[-1], "RetryStrategy" in request
            # SageMaker's reason may be clear without the log, and only training jobs have this log.
            reads_log = job.spec.kind is WorkKind.TRAINING and needs_log(ended.failure_reason, policy.patterns)
            hosts = self.services.logs.last_lines(ended.name) if reads_log else ()
            return decide_retry(job, policy, now, log=tuple(chain.from_iterable(hosts)), retried_by_sagemaker=retried)
        if stopped_at_wait_limit(job) and self._may_leave_spot(self.services.configuration.current(), job, now):
            return leave_spot_at_wait_limit(job, now)
        return job

    def reason_to_leave_spot(self, live_job: LiveJob, observation: Observation, now: datetime) -> Reason | None:
        """Returns why the attempt should stop and the job continue on demand; None if it should not."""
        if not may_leave_spot(live_job, observation):
            return None
        configuration = self.services.configuration.current()
        reason = reason_to_leave_spot(live_job, observation, configuration.retries.leaving_spot, now)
        return reason if reason and self._may_leave_spot(configuration, live_job.job, now) else None

    def _may_leave_spot(self, configuration: Configuration, job: Job, now: datetime) -> bool:
        """Returns whether the operator allows the cost, and the job would not break a rule on demand."""
        if not (configuration.is_readable and configuration.retries.leaving_spot.allowed):
            return False
        request = self._request(job)
        if request is None or not request.get("EnableManagedSpotTraining"):
            return False
        on_demand = replace(job, status=replace(job.status, on_demand=True))
        verdict = self.services.admission.verdict(configuration, on_demand, request, now)
        return not verdict.refusals(configuration.rules.failing.launching)

    def _request(self, job: Job) -> dict[str, object] | None:
        """Returns the job's request; None if it cannot be read, in which case there can be no other attempt."""
        try:
            return self.services.stores.jobs.request(job.name, job.spec.choice)
        except UnreadableBody:
            return None
