"""GET /findings: training jobs started outside the queue that break a rule."""

from typing_extensions import TypedDict

from api.answers import Time, Violation, time_view, violation_view
from api.call import Call, page_size_of
from scheduler.core.reconciliation import unmanaged_job
from scheduler.wiring import shared


class Finding(TypedDict):
    """A training job started outside the queue, the rules that it broke, and whether the queue stopped it."""

    name: str
    created_at: Time
    stopped: bool
    violations: list[Violation]


class Findings(TypedDict):
    """Findings, the newest first."""

    findings: list[Finding]


def list_findings(call: Call) -> Findings:
    findings = shared.unmanaged_job_store().findings(page_size_of(call.query.get("limit")))
    return {"findings": [_finding_view(finding) for finding in findings]}


def _finding_view(finding: unmanaged_job.Finding) -> Finding:
    return {
        "name": finding.name,
        "created_at": time_view(finding.created_at),
        "stopped": finding.stopped,
        "violations": [violation_view(violation) for violation in finding.violations],
    }
