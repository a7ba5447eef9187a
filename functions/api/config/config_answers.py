"""JSON types for the configuration and its plans (docs/reference/rest.md)."""

from typing import Any

from typing_extensions import TypedDict

from api.answers import Time, Violation
from api.budget import Period
from scheduler.config.prediction import DecisionKind
from scheduler.core.jobs.job_state import JobState
from scheduler.core.sections.schema import ConfigKind


class ConfigVersion(TypedDict):
    """A version of the configuration. Version 0 means that no operator has applied one.

    `changed` lists the kinds of sections that differ from the previous version. `author` is the caller's ARN, or
    `stack` and the name of the stack if the stack applied its own file.
    """

    version: int
    author: str | None
    applied_at: Time | None
    comment: str
    changed: list[ConfigKind]


class Config(ConfigVersion):
    """A version with the content of its sections, by kind. Sections that no operator has applied show their defaults.

    `callers` is missing if the caller is not allowed to apply that section.
    """

    sections: dict[ConfigKind, Any]


class ConfigVersions(TypedDict):
    """Versions, latest first. `next` is the token of the next page, or null on the last page."""

    versions: list[ConfigVersion]
    next: str | None


class WhoAmI(TypedDict):
    """The caller's permissions. `principal` is null for a caller that is neither a role nor a user."""

    arn: str
    principal: str | None
    entry: str
    verbs: list[str]
    teams: list[str]
    execution_roles: list[str]
    instance_types: list[str] | None
    priority_ceiling: int | None


class Verdict(TypedDict):
    """The violations that refuse or stop a job, and the violations that only cause warnings."""

    violations: list[Violation]
    warnings: list[Violation]


class ChangedVerdict(TypedDict):
    """A job whose verdict would change with the planned configuration."""

    name: str
    state: JobState
    before: Verdict
    after: Verdict


class DryRun(TypedDict):
    """The jobs whose verdicts would change. `complete` is true if every waiting and running job was checked.

    `left_out` counts further jobs whose verdicts would change, but for which the answer has no room.
    """

    checked: int
    complete: bool
    jobs: list[ChangedVerdict]
    left_out: int


class Decision(TypedDict):
    """A cycle's decision about a job, or about the warm pool that the job left. Commas separate several types."""

    job: str
    decision: DecisionKind
    instance_type: str | None
    reason: str


class NextCycle(TypedDict):
    """The decisions of the next cycle with the current configuration, and with the planned configuration."""

    before: list[Decision]
    after: list[Decision]


class ConfigPlan(DryRun):
    """The changes that a file would make. Nothing was applied.

    `version` is the latest version. Pass it as `replaces` to apply exactly this plan. `before` and `after` hold the
    content of the changed sections. `warnings` list settings that no longer have an effect, and calendar windows that
    leave fewer instances than the sum of all quotas. `jobs` lists the jobs whose verdicts under rules and permissions
    would change, and `periods` lists the budgets from now on. `you` shows the permissions that the caller would have.
    """

    version: int
    changed: list[ConfigKind]
    before: dict[ConfigKind, Any]
    after: dict[ConfigKind, Any]
    warnings: list[str]
    next_cycle: NextCycle
    periods: list[Period]
    you: WhoAmI
