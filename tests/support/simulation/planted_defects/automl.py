"""Defects in the rule about AutoML jobs."""

import pytest

from scheduler.core.guardrails.rules import Verdict
from scheduler.core.reconciliation.unmanaged_job import FindingKind
from scheduler.cycle.reconcile.findings import Findings


def stop_automl_jobs_despite_a_warning(patches: pytest.MonkeyPatch) -> None:
    """Stops AutoML jobs that a rule only warns of."""
    act = Findings.report

    def report(self: Findings, subject: object, verdict: Verdict, *more: object, **options: object) -> bool:
        if FindingKind.AUTOML in more:
            verdict = Verdict((*verdict.enforced, *verdict.warnings))
        return act(self, subject, verdict, *more, **options)  # type: ignore[arg-type]  # passes all on

    patches.setattr(Findings, "report", report)
