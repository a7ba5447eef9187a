"""Who may do what."""

from typing import TypedDict

from sagequeue.contract.documents import Document
from sagequeue.contract.rules import Trial


class Callers(Document):
    pass


class WhoAmI(TypedDict):
    """What the caller may do; None for types and priorities is "any"."""

    arn: str
    principal: str | None
    entry: str
    verbs: list[str]
    teams: list[str]
    execution_roles: list[str]
    instance_types: list[str] | None
    priority_ceiling: int | None


class CallerTrial(Trial):
    you: WhoAmI  # what you could do
