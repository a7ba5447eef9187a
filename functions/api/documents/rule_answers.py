"""The JSON of the operator's rules (docs/api.md), as types."""

from typing_extensions import TypedDict

from api.http import answers
from scheduler.core.jobs.job import JobState


class Rules(answers.Document):
    """The rules in force; version 0 means that nobody has set any."""


class Verdict(TypedDict):
    violations: list[answers.Violation]
    warnings: list[answers.Violation]


class ChangedVerdict(TypedDict):
    name: str
    state: JobState
    before: Verdict
    after: Verdict


class DryRun(TypedDict):
    """The jobs for which other rules would change something. `complete`: every job that waits or runs was looked at."""

    checked: int
    complete: bool
    jobs: list[ChangedVerdict]


class Finding(TypedDict):
    """What the rules had against a training job that went round the queue, and whether it was stopped."""

    name: str
    created_at: answers.Time
    stopped: bool
    violations: list[answers.Violation]


class Findings(TypedDict):
    """The newest first."""

    findings: list[Finding]
