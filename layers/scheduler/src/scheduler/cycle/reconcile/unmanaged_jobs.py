"""Checks unmanaged training jobs (started outside the queue) against the operator's rules, and stops them if allowed.

An event, or SageMaker's list, only names such a job. A cycle asks SageMaker for its description; only cycles stop jobs.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from operator import attrgetter
from typing import Any

from scheduler.core.guardrails.rules import Rules
from scheduler.core.guardrails.subject import Subject
from scheduler.core.jobs.attempt import ENDING_STATUSES
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.reconciliation.children import tuning_job_of
from scheduler.core.reconciliation.unmanaged_job import GuardMode, UnmanagedJob, WatchedJob
from scheduler.core.requests.attempt_request import TAG_DELAY, created_at, may_lack_tags
from scheduler.core.requests.instances import instances_of
from scheduler.core.requests.options import is_idle_exempt
from scheduler.core.requests.request_reading import max_runtime_of
from scheduler.cycle.reconcile.automl_jobs import AutoMLJobs
from scheduler.cycle.reconcile.findings import Findings, is_child, owner_by
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.errors.internal import AttemptUnknown, ConfigurationUnreadable, Refused
from scheduler.ports.job_store import SCHEDULE

logger = logging.getLogger(__name__)

#: How long SageMaker may fail to find, or refuse to describe, a job that an event reported. After this time, the job
#: counts as deleted or inaccessible, so that it does not keep other jobs from being checked.
UNKNOWN_JOB_GRACE = timedelta(minutes=15)
#: How long after its discovery a job is checked again while no check can decide: each check costs two calls. Later, the
#: job is checked every UNKNOWN_JOB_GRACE.
_CHECKED_AGAIN_AFTER = (timedelta(minutes=1), TAG_DELAY, UNKNOWN_JOB_GRACE)
#: The most unmanaged jobs that a cycle checks. Each check costs two calls to SageMaker while the queue's jobs wait.
CHECKS_PER_CYCLE = 20


@dataclass(frozen=True, slots=True)
class UnmanagedJobs:
    services: CycleServices
    findings: Findings
    steps: Steps

    @property
    def _automl_jobs(self) -> AutoMLJobs:
        return AutoMLJobs(self.services, self.findings)

    @property
    def is_on(self) -> bool:
        return self.services.guard is not GuardMode.OFF

    def add_unchecked(self, name: str) -> None:
        """Adds a job that is in SageMaker's list but not in the records, since its events may have been lost."""
        if self.is_on:
            self.services.unmanaged_jobs.add_unchecked(UnmanagedJob(name, self.services.clock.now()), by=SCHEDULE)

    def check_next(self) -> None:
        """Checks the next jobs, a bounded number in each cycle."""
        if self.is_on:
            now = self.services.clock.now()
            due = [job for job in self.services.unmanaged_jobs.unchecked() if _is_due(job, now)]
            for job in self.steps.in_time(sorted(due, key=attrgetter("seen_at"))[:CHECKS_PER_CYCLE]):
                with self.steps.isolate("check", job.name):
                    self._check(job)

    def _check(self, job: UnmanagedJob) -> None:
        """Checks the job against the rules, stops it if the rules require that, and records the finding."""
        began_at = self.services.clock.now()  # a later time could skip the last due check
        attempt = self.services.stores.live_attempts.attempt(job.name)
        if attempt is not None and not attempt.created:
            return  # SageMaker's answer to the attempt's Create will show whether this is the attempt
        self.services.unmanaged_jobs.check_later(job, began_at)  # first: a failing check must not hold up the others
        if attempt is not None or self._is_decided(job):  # if it is ours, an event was late
            self.services.unmanaged_jobs.mark_checked(job)

    def _is_decided(self, job: UnmanagedJob) -> bool:
        rules = self._rules()
        try:
            description = self.services.training.describe_any(job.name)
            is_decided = self._judge(job, rules, description)
            return self._automl_jobs.is_decided(description, rules) and is_decided
        except (AttemptUnknown, Refused) as error:
            if self.services.clock.now() - job.seen_at < UNKNOWN_JOB_GRACE:
                return False
            logger.error("unchecked", extra={"job": job.name, "cause": type(error).__name__})  # noqa: TRY400 - its text may quote the request
            return True

    def _judge(self, job: UnmanagedJob, rules: Rules, description: Mapping[str, Any]) -> bool:
        """Acts on violated rules, and puts the job under watch unless it is stopped or its instances are unknown.

        Returns False if tags not yet listed by SageMaker could change the verdict, or exempt the job from watches.
        """
        if description["TrainingJobStatus"] in ENDING_STATUSES:
            return True
        if self._is_child_of_ours(description):  # its rules were checked before its tuning job started
            return True
        subject, now = Subject(job.name, description, dollars=self._dollars(description)), self.services.clock.now()
        lacks_tags = not subject.tags and may_lack_tags(description, now)
        if lacks_tags and rules.read_tags:
            return False
        verdict, may_stop = rules.check(subject, now), not is_child(description)
        stops = self.findings.report(subject, verdict, rules.failing.stopping, may_stop=may_stop)
        watched = _watched(job.name, description, owner_by(subject.tags))
        if not stops and not lacks_tags and watched.demand != NOTHING:
            self.services.watched_jobs.watch(watched)
        return stops or not lacks_tags

    def _dollars(self, description: Mapping[str, Any]) -> Decimal | None:
        """Returns the cost of the whole time limit, with an upper bound of the instances; None if it is unknown."""
        instances = _instances_in(description)
        if instances == NOTHING:
            return None
        return self.services.configuration.prices().cost(instances, max_runtime_of(description))

    def _is_child_of_ours(self, description: Mapping[str, Any]) -> bool:
        tuning_job, live = tuning_job_of(description), self.services.live_job_cache.live()
        return any(one.attempt.name == tuning_job and one.job.spec.kind is WorkKind.TUNING for one in live)

    def _rules(self) -> Rules:
        """Returns the current rules. Raises ConfigurationUnreadable; then the job is checked later."""
        configuration = self.services.configuration.current()
        if not configuration.is_readable:
            raise ConfigurationUnreadable
        return configuration.rules


def _is_due(job: UnmanagedJob, now: datetime) -> bool:
    if job.tried_at is None:
        return True
    tried_after, age = job.tried_at - job.seen_at, now - job.seen_at
    if now - job.tried_at >= UNKNOWN_JOB_GRACE:  # the job was created again just before the last check
        return True
    return any(tried_after < time <= age for time in _CHECKED_AGAIN_AFTER)


def _instances_in(description: Mapping[str, Any]) -> Demand:
    """Returns the instances that the job may use; none for a serverless job, whose hosts are unknown."""
    return instances_of(description.get("ResourceConfig", {}))


def _watched(name: str, description: Mapping[str, Any], owner: str) -> WatchedJob:
    return WatchedJob(
        name,
        created_at(description),
        _instances_in(description),
        owner,
        is_exempt=is_idle_exempt(description),
        is_child=is_child(description),
    )
