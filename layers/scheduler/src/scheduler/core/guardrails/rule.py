"""What all rules have in common. Each kind of rule is a class, whose fields are its parameters in the document."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from attrs import field, frozen

from scheduler.core.guardrails.scope import Scope
from scheduler.core.guardrails.subject import Subject


class Mode(StrEnum):
    ENFORCE = "enforce"  # refuse, do not launch, stop
    WARN = "warn"  # accept and say so
    OFF = "off"


class Breach(NamedTuple):
    """What is wrong with a job, in the words of one rule."""

    field: str
    message: str
    remedy: str


#: Every kind of rule by its name in the document.
KINDS: dict[str, type["Rule"]] = {}


@frozen(kw_only=True)
class Rule(ABC):
    kind: ClassVar[str]

    name: str  # unique in the document
    mode: Mode = Mode.ENFORCE
    applies_to: Scope = field(factory=Scope)

    @abstractmethod
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        """Everything about the job that this rule is against."""


def kind(name: str) -> Any:
    """Class decorator: a kind of rule that documents may use."""

    def register(rule: type[Rule]) -> type[Rule]:
        rule.kind = name
        KINDS[name] = rule
        return rule

    return register
