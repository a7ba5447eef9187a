"""The base of all rules. Each kind of rule is a class, whose fields are its parameters in the document."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from scheduler.core.documents.strict_structure import field_error
from scheduler.core.guardrails.subject import JobPattern, Subject


class Mode(StrEnum):
    """The effect of a rule."""

    ENFORCE = "enforce"  # refuse submissions, block launches, stop unmanaged jobs
    WARN = "warn"  # accept the job with a warning
    OFF = "off"


class Breach(NamedTuple):
    """A field of a job that breaks a rule, with a message and a remedy."""

    field: str
    message: str
    remedy: str


#: Every kind of rule by its name in the document.
KINDS: dict[str, type["Rule"]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(ABC):
    """A rule of the document."""

    kind: ClassVar[str]

    name: str  # unique in the document
    mode: Mode = Mode.ENFORCE
    applies_to: JobPattern = field(default_factory=JobPattern)

    @abstractmethod
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        """Yields every breach of this rule by the job."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowList(Rule):
    """The base of rules that allow only what matches one of their patterns."""

    allowed: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.allowed:
            raise field_error("allowed", "is empty: no job could run")


def kind(name: str) -> Any:
    """Registers a class as a kind of rule that documents may use."""

    def register(rule: type[Rule]) -> type[Rule]:
        rule.kind = name
        KINDS[name] = rule
        return rule

    return register
