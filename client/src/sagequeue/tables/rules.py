"""Findings and dry runs of rules, as people read them in a terminal."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from sagequeue.contract.rules import ChangedVerdict, Findings, Trial, Verdict
from sagequeue.tables.formats import local_time
from sagequeue.tables.layout import table_of


def findings_view(found: Findings) -> RenderableType:
    """Training jobs that went round the queue, and what the rules had against them."""
    table = table_of("job", "created", "stopped", "why")
    for finding in found["findings"]:
        why = "\n".join(f"{one['rule']}: {one['message']}" for one in finding["violations"])
        stopped = "yes" if finding["stopped"] else "no"
        table.add_row(finding["name"], local_time(finding["created_at"]), stopped, Text(why))
    return table if table.rows else Text("The rules had nothing against any.")


def trial_lines(trial: Trial) -> Iterator[str]:
    for job in trial["jobs"]:
        yield f"{job['name']} ({job['state']})"
        yield from _changes(job)
    beyond = "" if trial["complete"] else "; there are more jobs, which were not looked at"
    yield f"{len(trial['jobs'])} of {trial['checked']} jobs would be judged otherwise{beyond}"


def _changes(job: ChangedVerdict) -> Iterator[str]:
    before, after = _texts(job["before"]), _texts(job["after"])
    yield from (f"  - {text}" for text in before if text not in after)
    yield from (f"  + {text}" for text in after if text not in before)


def _texts(verdict: Verdict) -> list[str]:
    violations = [f"violates {one['rule']}: {one['message']}" for one in verdict["violations"]]
    return violations + [f"warning of {one['rule']}: {one['message']}" for one in verdict["warnings"]]
