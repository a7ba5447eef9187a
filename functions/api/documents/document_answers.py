"""JSON types of the operators' documents, and of what checks of new ones show (docs/api.md)."""

from typing_extensions import TypedDict

from api.answers import Day, Time, Violation
from scheduler.core.calendar.calendar import Excess
from scheduler.core.callers.permissions import Verb
from scheduler.core.jobs.job import JobState
from scheduler.core.spending.limits import LimitAction, Measure, ScopeKind, UseState


class DocumentAnswer(TypedDict):
    """The applied version of a document. Version 0 means that no operator has applied one."""

    version: int
    text: str
    changed_by: str | None
    changed_at: Time | None


class Rules(DocumentAnswer):
    """The applied rules; version 0 means that there are none."""


class Callers(DocumentAnswer):
    """The applied callers document; version 0 means that there is none, and the text states the default permissions."""


class PoolRules(DocumentAnswer):
    """The applied pool rules; version 0 means that there are none, and no attempt leaves a pool."""


class Period(TypedDict):
    """A budget until the next period begins. `excess` says, by type, what happens to jobs that hold more than it."""

    begins: Time
    budget: dict[str, int]
    excess: dict[str, Excess]
    windows: list[str]


class Calendar(DocumentAnswer):
    """The applied calendar; version 0 means that there is none.

    `periods` are the budgets from now on, for up to 28 days. While an operator's own budget is set, it is the only
    period, and the calendar `rests` until that budget is reset.
    """

    rests: bool
    periods: list[Period]


class Price(TypedDict):
    """The price of one on-demand instance, in US dollars; null if it is not known."""

    dollars_per_hour: float | None
    as_of: Day | None
    source: str | None
    spot_share: float | None
    gpus: int


class Prices(DocumentAnswer):
    """The applied prices document, version 0 if there is none, and every known price by instance type."""

    region: str
    prices: dict[str, Price]


class SpendingUse(TypedDict):
    """The part of a limit that an owner, team or tag has used in this month.

    `used` includes the use of running jobs, `running`. `forecast` is the use at the end of the month at the average
    rate since its beginning. All three are null, and the state is `unknown`, if a count or a price is not known.
    """

    limit: str
    kind: ScopeKind
    scope: str
    measure: Measure
    most: float
    used: float | None
    running: float | None
    forecast: float | None
    warn_at: float
    then: LimitAction
    state: UseState
    reason: str | None


class MonthlySpending(TypedDict):
    """The month that limits count in."""

    name: str
    begins: Time
    ends: Time
    time_zone: str


class Spending(DocumentAnswer):
    """The applied spending limits, version 0 if there are none, and how much of each is used.

    If the document is not `readable`, no job starts until an operator applies another one.
    """

    readable: bool
    month: MonthlySpending | None
    uses: list[SpendingUse]


class WhoAmI(TypedDict):
    """The caller's permissions. `principal` is null for a caller that is no role or user: it has no permissions."""

    arn: str
    principal: str | None
    entry: str
    verbs: list[Verb]
    teams: list[str]
    execution_roles: list[str]
    instance_types: list[str] | None
    priority_ceiling: int | None


class Verdict(TypedDict):
    """The violations that refuse or stop a job, and those that only warn."""

    violations: list[Violation]
    warnings: list[Violation]


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


class CallersDryRun(DryRun):
    """The jobs whose verdict would change under another callers document. `you`: the caller's permissions under it."""

    you: WhoAmI


class CalendarDryRun(TypedDict):
    """The budgets that a calendar would give from now on."""

    periods: list[Period]
