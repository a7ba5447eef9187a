"""The JSON of who may do what (docs/api.md), as types."""

from typing_extensions import TypedDict

from api.documents import rule_answers
from api.http import answers
from scheduler.core.callers.permissions import Verb


class Callers(answers.Document):
    """Who may do what; version 0 means that nobody has laid it down, and the text says what holds then."""


class WhoAmI(TypedDict):
    """What the caller may do. `principal` is null where no role or user is behind the call: that allows nothing."""

    arn: str
    principal: str | None
    entry: str
    verbs: list[Verb]
    teams: list[str]
    execution_roles: list[str]
    instance_types: list[str] | None
    priority_ceiling: int | None


class CallerTrial(rule_answers.DryRun):
    """The same of another document of callers; `you`: what the caller could do under it."""

    you: WhoAmI
