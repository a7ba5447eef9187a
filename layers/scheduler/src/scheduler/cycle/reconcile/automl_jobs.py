"""Checks AutoML jobs against the operator's rule for such jobs, and stops them if allowed.

SageMaker sends no events about AutoML jobs. The queue learns of an AutoML job from the first training job that the
AutoML job starts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scheduler.core.guardrails.kinds.automl import NoAutoML
from scheduler.core.guardrails.rules import Rules
from scheduler.core.guardrails.subject import Subject
from scheduler.core.jobs.attempt import ENDING_STATUSES
from scheduler.core.reconciliation.children import automl_job_of
from scheduler.core.reconciliation.unmanaged_job import FindingKind
from scheduler.core.requests.attempt_request import may_lack_tags
from scheduler.cycle.reconcile.findings import Findings
from scheduler.cycle.services import CycleServices


@dataclass(frozen=True, slots=True)
class AutoMLJobs:
    services: CycleServices
    findings: Findings

    def is_decided(self, description: Mapping[str, Any], rules: Rules) -> bool:
        """Checks the AutoML job that started the described training job, if any.

        Returns False if tags not yet listed by SageMaker could change the verdict.
        """
        name, of_automl = automl_job_of(description), rules.only(NoAutoML)
        if not (name and of_automl.rules):
            return True
        job = self.services.automl.describe_any(name)
        if job["AutoMLJobStatus"] in ENDING_STATUSES:
            return True
        subject, now = Subject(job["AutoMLJobName"], job), self.services.clock.now()
        if not subject.tags and may_lack_tags(job, now) and of_automl.read_tags:
            return False
        self.findings.report(subject, of_automl.check(subject, now), rules.failing.stopping, FindingKind.AUTOML)
        return True
