"""Permissions of callers."""

from typing import TypedDict

from sagequeue.contract.documents import Document
from sagequeue.contract.rules import DryRun


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
