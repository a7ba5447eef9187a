"""Holds training jobs that went round the queue against the operator's rules.

An event, or SageMaker's list, only says that there is such a job. A cycle asks SageMaker what it is, and it alone
stops it.
"""

import logging
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, timedelta
from typing import Any

from attrs import frozen

from scheduler.admission.admission import Admission
from scheduler.core.guardrails.rules import Rules, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.jobs.attempt import TERMINAL_STATUSES
from scheduler.core.reconciliation.unmanaged_job import Finding, GuardMode, UnmanagedJob
from scheduler.errors.internal import AlreadyEnded, AttemptUnknown, Refused
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore
from scheduler.ports.notifications import Notifier
from scheduler.ports.training import TrainingService
from scheduler.ports.unmanaged_job_store import UnmanagedJobStore

logger = logging.getLogger(__name__)

#: How long SageMaker may deny a job that an event told of, or an answer. Later, somebody has deleted it, or nobody lets
#: us look; it must not keep others from being looked at.
UNKNOWN_JOB_GRACE = timedelta(minutes=15)
#: How many a cycle looks at; each costs two calls of SageMaker's, and the queue's own jobs wait meanwhile.
CHECKS_PER_CYCLE = 20
# A training job with one of these belongs to something that would start another one in its place.
_PARENTS = ("TuningJobArn", "AutoMLJobArn", "LabelingJobArn")
# Tags by which organisations name whom to tell.
_OWNER_TAGS = ("owner", "Owner")


@frozen
class UnmanagedJobs:
    mode: GuardMode
    found: UnmanagedJobStore
    jobs: JobStore
    training: TrainingService
    admission: Admission
    notifier: Notifier
    clock: Clock

    @property
    def is_on(self) -> bool:
        return self.mode is not GuardMode.OFF

    def add_unchecked(self, name: str) -> None:
        """SageMaker's list has a training job that the records do not know; its events may have been lost."""
        if self.is_on:
            self.found.add_unchecked(UnmanagedJob(name, self.clock.now()), by="schedule")

    def unchecked(self) -> tuple[UnmanagedJob, ...]:
        """Those that are to be looked at now."""
        return self.found.unchecked()[:CHECKS_PER_CYCLE] if self.is_on else ()

    def check(self, job: UnmanagedJob) -> None:
        """Look at one, do what its rules want, and write down what was found."""
        if self.jobs.attempt(job.name) is None:  # else it is one of ours, and an event was late
            try:
                self._judge(job, self.training.describe_any(job.name))
            except (AttemptUnknown, Refused) as error:
                if self.clock.now() - job.seen_at < UNKNOWN_JOB_GRACE:
                    return
                logger.error("unchecked", extra={"job": job.name, "cause": type(error).__name__})  # noqa: TRY400 - its text may quote the request
        self.found.mark_checked(job)

    def _judge(self, job: UnmanagedJob, description: Mapping[str, Any]) -> None:
        if description["TrainingJobStatus"] in {*TERMINAL_STATUSES, "Stopping"}:
            return
        rules, subject = self.admission.rules(), Subject(job.name, description)
        verdict = rules.check(subject, self.clock.now())
        for rule in verdict.broken:
            logger.error("broken rule", extra={"rule": rule, "job": job.name})
        stops = self._may_stop(rules, verdict, description)
        violations = tuple(one for one in (*verdict.enforced, *verdict.warnings) if stops or not one.broken)
        if violations:
            created_at = description["CreationTime"].astimezone(UTC)
            self._act(Finding(job.name, created_at, stops, violations), subject)

    def _act(self, finding: Finding, subject: Subject) -> None:
        # Before the stop: after a crash in between nobody could say any more why it was stopped.
        is_news = self.found.record_finding(finding)
        if finding.stopped:
            self._stop(finding.name)
        if is_news:  # each further event of the job leads here again
            rules = [one.rule for one in finding.violations]
            logger.warning("guard", extra={"job": finding.name, "stopped": finding.stopped, "rules": rules})
            self.notifier.notify(_notice(finding, subject))

    def _may_stop(self, rules: Rules, verdict: Verdict, description: Mapping[str, Any]) -> bool:
        is_child = any(description.get(parent) for parent in _PARENTS)
        return self.mode is GuardMode.STOP and not is_child and bool(verdict.against(rules.failing.stopping))

    def _stop(self, name: str) -> None:
        with suppress(AlreadyEnded, AttemptUnknown):
            self.training.stop(name)


def _notice(finding: Finding, subject: Subject) -> Notice:
    owner = next(filter(None, map(subject.tags.get, _OWNER_TAGS)), "unknown")
    state = "stopping" if finding.stopped else "running"
    reason = "It went round the queue. " + "; ".join(map(str, finding.violations))
    remedy = " ".join(dict.fromkeys(one.remedy for one in finding.violations))
    return Notice(NoticeKind.RULE_VIOLATED, finding.name, owner, state, reason, f"{remedy} Submit it to the queue.")
