"""The JSON of guardrails, and of what they found (docs/api.md)."""

from collections.abc import Sequence

from api.documents import rule_answers
from api.http.views import document_view, time_view, violation_view
from scheduler.config.dry_run import DryRun
from scheduler.core.documents.document import Document
from scheduler.core.guardrails.rules import Verdict
from scheduler.core.reconciliation.unmanaged_job import Finding

#: What holds where nobody has set rules.
NO_RULES_TEXT = '{"format": 1, "rules": []}'


def rules_view(document: Document | None) -> rule_answers.Rules:
    return {**document_view(document, NO_RULES_TEXT)}


def trial_view(trial: DryRun) -> rule_answers.DryRun:
    jobs: list[rule_answers.ChangedVerdict] = [
        {
            "name": change.job.name,
            "state": change.job.state,
            "before": _verdict_view(change.before),
            "after": _verdict_view(change.after),
        }
        for change in trial.changes
    ]
    return {"checked": trial.checked, "complete": trial.is_complete, "jobs": jobs}


def findings_view(findings: Sequence[Finding]) -> rule_answers.Findings:
    return {"findings": [_finding_view(finding) for finding in findings]}


def _finding_view(finding: Finding) -> rule_answers.Finding:
    return {
        "name": finding.name,
        "created_at": time_view(finding.created_at),
        "stopped": finding.stopped,
        "violations": [violation_view(violation) for violation in finding.violations],
    }


def _verdict_view(verdict: Verdict) -> rule_answers.Verdict:
    return {
        "violations": [violation_view(violation) for violation in verdict.enforced],
        "warnings": [violation_view(violation) for violation in verdict.warnings],
    }
