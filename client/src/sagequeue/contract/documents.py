"""The operators' documents, and the answers about them: checks, findings, budgets of the calendar, use of limits."""

from typing import TypedDict


class Document(TypedDict):
    """The current version of an operators' document."""

    version: int  # 0: the default, never applied
    text: str
    changed_by: str | None
    changed_at: str | None


class Problem(TypedDict):
    line: int | None
    field: str
    message: str


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


class Period(TypedDict):
    """A budget, and the treatment of jobs over budget, until the next period begins."""

    begins: str
    budget: dict[str, int]
    excess: dict[str, str]
    windows: list[str]  # of the calendar; empty: the stack's own budget


class Calendar(Document):
    rests: bool  # an operator's own budget overrides it
    periods: list[Period]


class CalendarDryRun(TypedDict):
    periods: list[Period]


class Callers(Document):
    pass


class WhoAmI(TypedDict):
    """The caller's permissions; None for types and priorities means any."""

    arn: str
    principal: str | None
    entry: str
    verbs: list[str]
    teams: list[str]
    execution_roles: list[str]
    instance_types: list[str] | None
    priority_ceiling: int | None


class CallersDryRun(DryRun):
    you: WhoAmI  # your permissions under the checked document


class PoolRules(Document):
    pass


class SpendingUse(TypedDict):
    """An owner's, team's or tag's use of a limit in this month; None if a count or a price is unknown."""

    limit: str
    kind: str
    scope: str
    measure: str
    most: float
    used: float | None  # running attempts included
    running: float | None
    forecast: float | None  # at the end of the month
    warn_at: float
    then: str
    state: str
    reason: str | None


class MonthlySpending(TypedDict):
    name: str
    begins: str
    ends: str
    time_zone: str


class Spending(Document):
    readable: bool
    month: MonthlySpending | None
    uses: list[SpendingUse]
