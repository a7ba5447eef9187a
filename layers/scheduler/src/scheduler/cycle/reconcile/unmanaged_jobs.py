"""Checks unmanaged training jobs, started outside the queue, against the operator's rules, and stops them if allowed.

An event, or SageMaker's list, only names such a job. A cycle asks SageMaker for its description; only cycles stop jobs.
"""

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any

from scheduler.core.guardrails.rules import Rules, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.jobs.attempt import TERMINAL_STATUSES
from scheduler.core.reconciliation.unmanaged_job import Finding, GuardMode, UnmanagedJob
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.errors.internal import AlreadyEnded, AttemptUnknown, Refused

logger = logging.getLogger(__name__)

#: How long SageMaker may not know, or refuse to describe, a job that an event reported. After that time the job counts
#: as deleted or inaccessible, so that it does not keep other jobs from being checked.
UNKNOWN_JOB_GRACE = timedelta(minutes=15)
#: Unmanaged jobs that a cycle checks. Each costs two calls of SageMaker, and the queue's own jobs wait meanwhile.
CHECKS_PER_CYCLE = 20
# A training job with one of these members belongs to a parent job, which would start another one in its place.
_PARENTS = ("TuningJobArn", "AutoMLJobArn", "LabelingJobArn")
# Tags that organisations use to name a job's owner.
_OWNER_TAGS = ("owner", "Owner")


@dataclass(frozen=True, slots=True)
class UnmanagedJobs:
    services: CycleServices
    steps: Steps

    @property
    def is_on(self) -> bool:
        return self.services.guard is not GuardMode.OFF

    def add_unchecked(self, name: str) -> None:
        """Adds a job that SageMaker's list has and the records do not: its events may be lost."""
        if self.is_on:
            self.services.unmanaged_jobs.add_unchecked(UnmanagedJob(name, self.services.clock.now()), by="schedule")

    def check_next(self) -> None:
        """Checks the next jobs, a bounded number in each cycle."""
        if self.is_on:
            for job in self.steps.in_time(self.services.unmanaged_jobs.unchecked()[:CHECKS_PER_CYCLE]):
                with self.steps.isolate("check"):
                    self._check(job)

    def _check(self, job: UnmanagedJob) -> None:
        """Checks the job against the rules, stops it if it must, and records the finding."""
        is_ours = self.services.stores.live_attempts.attempt(job.name) is not None  # then an event was late
        if not is_ours:
            try:
                self._judge(job, self.services.training.describe_any(job.name))
            except (AttemptUnknown, Refused) as error:
                if self.services.clock.now() - job.seen_at < UNKNOWN_JOB_GRACE:
                    return
                logger.error("unchecked", extra={"job": job.name, "cause": type(error).__name__})  # noqa: TRY400 - its text may quote the request
        self.services.unmanaged_jobs.mark_checked(job)

    def _judge(self, job: UnmanagedJob, description: Mapping[str, Any]) -> None:
        if description["TrainingJobStatus"] in {*TERMINAL_STATUSES, "Stopping"}:
            return
        rules, subject = self.services.admission.rules(), Subject(job.name, description)
        verdict = rules.check(subject, self.services.clock.now())
        for rule in verdict.failed_rules:
            logger.error("broken rule", extra={"rule": rule, "job": job.name})
        stops = self._may_stop(rules, verdict, description)
        violations = tuple(
            violation for violation in (*verdict.enforced, *verdict.warnings) if stops or not violation.broken
        )
        if violations:
            created_at = description["CreationTime"].astimezone(UTC)
            self._act(Finding(job.name, created_at, stops, violations), subject)

    def _act(self, finding: Finding, subject: Subject) -> None:
        # Before the stop: after a crash in between, the reason of the stop would be lost.
        is_news = self.services.unmanaged_jobs.record_finding(finding)
        if finding.stopped:
            self._stop(finding.name)
        if is_news:  # each later event of the job leads here again
            rules = [violation.rule for violation in finding.violations]
            logger.warning("unmanaged job", extra={"job": finding.name, "stopped": finding.stopped, "rules": rules})
            self.services.notifier.notify(_notice(finding, subject))

    def _may_stop(self, rules: Rules, verdict: Verdict, description: Mapping[str, Any]) -> bool:
        is_child = any(description.get(parent) for parent in _PARENTS)
        return (
            self.services.guard is GuardMode.STOP and not is_child and bool(verdict.violations(rules.failing.stopping))
        )

    def _stop(self, name: str) -> None:
        with suppress(AlreadyEnded, AttemptUnknown):
            self.services.training.stop(name)


def _notice(finding: Finding, subject: Subject) -> Notice:
    owner = next(filter(None, map(subject.tags.get, _OWNER_TAGS)), "unknown")
    state = "stopping" if finding.stopped else "running"
    reason = "It was started outside the queue. " + "; ".join(map(str, finding.violations))
    remedy = " ".join(dict.fromkeys(violation.remedy for violation in finding.violations))
    return Notice(NoticeKind.RULE_VIOLATED, finding.name, owner, state, reason, f"{remedy} Submit it to the queue.")
