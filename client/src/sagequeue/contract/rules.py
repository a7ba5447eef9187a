"""The operator's rules, and what they have against jobs."""

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
    """A job for which other rules would change something."""

    name: str
    state: str
    before: Verdict
    after: Verdict


class Trial(TypedDict):
    checked: int
    complete: bool  # False: there are more jobs than were looked at
    jobs: list[ChangedVerdict]


class Finding(TypedDict):
    """What the rules had against a training job that went round the queue."""

    name: str
    created_at: str
    stopped: bool
    violations: list[Violation]


class Findings(TypedDict):
    findings: list[Finding]  # the newest first
