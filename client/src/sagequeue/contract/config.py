"""Types for the configuration, its versions and plans, and for the caller's permissions."""

from typing import Any, TypedDict

from sagequeue.contract.jobs import Violation
from sagequeue.contract.queue import Period


class ConfigVersion(TypedDict):
    """A version of the configuration. Version 0 has only defaults; no one applied it."""

    version: int
    author: str | None  # the caller's ARN, or `stack` and the name of the stack that applied its own file
    applied_at: str | None
    comment: str
    changed: list[str]  # kinds of sections that differ from the previous version


class Config(ConfigVersion):
    """A version with its sections by kind, including defaults. `callers` is missing if the caller cannot apply it."""

    sections: dict[str, Any]


class ConfigVersions(TypedDict):
    versions: list[ConfigVersion]  # the newest first
    next: str | None


class Problem(TypedDict):
    line: int | None
    field: str
    message: str


class Verdict(TypedDict):
    violations: list[Violation]
    warnings: list[Violation]


class ChangedVerdict(TypedDict):
    """A job that the planned configuration judges differently."""

    name: str
    state: str
    before: Verdict
    after: Verdict


class Decision(TypedDict):
    """A decision that the next cycle makes about a job, or about the warm pool that the job left."""

    job: str
    decision: str
    instance_type: str | None  # several types are joined by commas
    reason: str


class NextCycle(TypedDict):
    """The decisions in the next cycle under the current configuration, and under the planned configuration."""

    before: list[Decision]
    after: list[Decision]


class WhoAmI(TypedDict):
    """The caller's permissions. If `instance_types` or `priority_ceiling` is None, any value is allowed."""

    arn: str
    principal: str | None
    entry: str
    verbs: list[str]
    teams: list[str]
    execution_roles: list[str]
    instance_types: list[str] | None
    priority_ceiling: int | None


class People(TypedDict):
    """The names of people at the hosted page, by their IDs in the user pool: verified email addresses."""

    people: dict[str, str]


class DryRun(TypedDict):
    checked: int
    complete: bool  # False: not all jobs were checked
    jobs: list[ChangedVerdict]
    left_out: int  # number of further affected jobs that the answer leaves out


class ConfigPlan(DryRun):
    """The effect of a configuration file. `before` and `after` contain only the changed sections."""

    version: int  # pass it as `replaces` to apply exactly this plan
    changed: list[str]
    before: dict[str, Any]
    after: dict[str, Any]
    warnings: list[str]
    next_cycle: NextCycle
    periods: list[Period]  # the coming budgets
    you: WhoAmI  # your permissions under the planned configuration
