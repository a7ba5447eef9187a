"""The operators' rules, and jobs that break them."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class Violation(TypedDict):
    rule: str
    field: str
    message: str
    remedy: str


class Rules(Document):
    pass


class Verdict(TypedDict):
    violations: list[Violation]
    warnings: list[Violation]


class ChangedVerdict(TypedDict):
    """A job with another verdict under other rules."""

    name: str
    state: str
    before: Verdict
    after: Verdict


class DryRun(TypedDict):
    checked: int
    complete: bool  # False: not all jobs were checked
    jobs: list[ChangedVerdict]


class Finding(TypedDict):
    """A training job started outside the queue that breaks a rule."""

    name: str
    created_at: str
    stopped: bool
    violations: list[Violation]


class Findings(TypedDict):
    findings: list[Finding]  # the newest first
