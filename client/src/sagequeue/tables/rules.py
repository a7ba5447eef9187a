"""Texts of dry runs, and the table of findings."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from sagequeue.contract.rules import ChangedVerdict, DryRun, Findings, Verdict
from sagequeue.tables.formats import local_time
from sagequeue.tables.layout import table_of


def findings_view(found: Findings) -> RenderableType:
    """Returns training jobs started outside the queue that break a rule."""
    table = table_of("job", "created", "stopped", "why")
    for finding in found["findings"]:
        why = "\n".join(f"{broken['rule']}: {broken['message']}" for broken in finding["violations"])
        stopped = "yes" if finding["stopped"] else "no"
        table.add_row(finding["name"], local_time(finding["created_at"]), stopped, Text(why))
    return table if table.rows else Text("No jobs started outside the queue break a rule.")


def dry_run_lines(dry_run: DryRun) -> Iterator[str]:
    for job in dry_run["jobs"]:
        yield f"{job['name']} ({job['state']})"
        yield from _changes(job)
    yield _summary(dry_run)


def _summary(dry_run: DryRun) -> str:
    unchecked = "" if dry_run["complete"] else "; more jobs exist and were not checked"
    count = len(dry_run["jobs"])
    affected = (
        f"{count} of {dry_run['checked']} jobs affected" if count else f"No jobs affected, of {dry_run['checked']}"
    )
    return affected + unchecked


def _changes(job: ChangedVerdict) -> Iterator[str]:
    before, after = _texts(job["before"]), _texts(job["after"])
    yield from (f"  - {text}" for text in before if text not in after)
    yield from (f"  + {text}" for text in after if text not in before)


def _texts(verdict: Verdict) -> list[str]:
    violations = [f"violates {found['rule']}: {found['message']}" for found in verdict["violations"]]
    return violations + [f"warning of {found['rule']}: {found['message']}" for found in verdict["warnings"]]
