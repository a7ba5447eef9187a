"""Records findings about unmanaged jobs, sends notices, and stops the jobs if allowed."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from scheduler.core.guardrails.rules import OnFailure, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.reconciliation.unmanaged_job import Finding, FindingKind, GuardMode
from scheduler.core.requests.attempt_request import created_at
from scheduler.cycle.services import CycleServices
from scheduler.errors.internal import AlreadyEnded, AttemptUnknown

logger = logging.getLogger(__name__)

#: Members of a description that name a parent job.
_PARENTS = ("TuningJobArn", "AutoMLJobArn", "LabelingJobArn")
#: Tags that organisations use to name a job's owner.
_OWNER_TAGS = ("owner", "Owner")
_NOTICES = {
    FindingKind.RULES: NoticeKind.RULE_VIOLATED,
    FindingKind.AUTOML: NoticeKind.RULE_VIOLATED,
    FindingKind.IDLE: NoticeKind.IDLE,
    FindingKind.UNDERUSED: NoticeKind.UNDERUSED,
    FindingKind.HANG: NoticeKind.HANG,
    FindingKind.NAN_LOSS: NoticeKind.NAN_LOSS,
}


@dataclass(frozen=True, slots=True)
class Findings:
    services: CycleServices

    @property
    def may_stop(self) -> bool:
        return self.services.guard is GuardMode.STOP

    def report(
        self,
        subject: Subject,
        verdict: Verdict,
        on_failure: OnFailure,
        kind: FindingKind = FindingKind.RULES,
        *,
        may_stop: bool = True,
    ) -> bool:
        """Acts on violated rules. Returns whether the job was stopped."""
        for rule in verdict.failed_rules:
            logger.error("broken rule", extra={"rule": rule, "job": subject.name})
        stops = may_stop and self.may_stop and bool(verdict.violations(on_failure))
        violations = tuple(
            violation for violation in (*verdict.enforced, *verdict.warnings) if stops or not violation.broken
        )
        if violations:
            finding = Finding(subject.name, created_at(subject.request), stops, violations, kind)
            self.act(finding, owner_by(subject.tags))
        return stops

    def act(self, finding: Finding, owner: str) -> None:
        # The stop comes last: if it fails, or after a crash, a later check repeats it, but sends no second notice.
        is_news = self.services.unmanaged_jobs.record_finding(finding)
        if is_news:  # each later event about the job, and each later check, leads here again
            rules = [violation.rule for violation in finding.violations]
            logger.warning("unmanaged job", extra={"job": finding.name, "stopped": finding.stopped, "rules": rules})
            self.services.notifier.notify(_notice(finding, owner))
        if finding.stopped:
            self._stop(finding)

    def _stop(self, finding: Finding) -> None:
        service = self.services.automl if finding.kind is FindingKind.AUTOML else self.services.training
        with suppress(AlreadyEnded, AttemptUnknown):
            service.stop(finding.name)


def owner_by(tags: Mapping[str, str]) -> str:
    return next(filter(None, map(tags.get, _OWNER_TAGS)), "unknown")


def is_child(description: Mapping[str, Any]) -> bool:
    """Returns whether the training job belongs to a parent job, which would start another training job in its place."""
    return any(description.get(parent) for parent in _PARENTS)


def _notice(finding: Finding, owner: str) -> Notice:
    state = "stopping" if finding.stopped else "running"
    reason = "It was started outside the queue. " + "; ".join(map(str, finding.violations))
    remedy = " ".join(dict.fromkeys(violation.remedy for violation in finding.violations))
    kind = _NOTICES[finding.kind]
    if finding.kind is not FindingKind.AUTOML:  # the queue runs no AutoML jobs
        remedy = f"{remedy} Submit it to the queue."
    identity = f"{finding.name}/{finding.created_at.isoformat()}/{kind}/{state}"
    return Notice(kind, finding.name, owner, state, reason, remedy, id=identity)
