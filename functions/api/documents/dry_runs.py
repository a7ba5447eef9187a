"""The answer to a dry run: the jobs that other rules, or another document of callers, would judge differently."""

from typing_extensions import TypedDict

from api.http import answers
from api.http.views import violation_view
from scheduler.config import dry_run
from scheduler.core.guardrails import rules
from scheduler.core.jobs.job import JobState


class Verdict(TypedDict):
    """The violations that refuse or stop a job, and those that only warn."""

    violations: list[answers.Violation]
    warnings: list[answers.Violation]


class ChangedVerdict(TypedDict):
    """A job with another verdict under the checked document."""

    name: str
    state: JobState
    before: Verdict
    after: Verdict


class DryRun(TypedDict):
    """The jobs whose verdict would change. `complete`: every waiting and running job was checked."""

    checked: int
    complete: bool
    jobs: list[ChangedVerdict]


def dry_run_view(result: dry_run.DryRun) -> DryRun:
    jobs: list[ChangedVerdict] = [
        {
            "name": change.job.name,
            "state": change.job.state,
            "before": _verdict_view(change.before),
            "after": _verdict_view(change.after),
        }
        for change in result.changes
    ]
    return {"checked": result.checked, "complete": result.is_complete, "jobs": jobs}


def _verdict_view(verdict: rules.Verdict) -> Verdict:
    return {
        "violations": [violation_view(violation) for violation in verdict.enforced],
        "warnings": [violation_view(violation) for violation in verdict.warnings],
    }
