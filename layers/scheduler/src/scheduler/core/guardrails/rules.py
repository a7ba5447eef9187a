"""Defines rules and sets of rules, and checks jobs against them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import reduce
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

from scheduler.core.guardrails.subject import JobPattern, Subject
from scheduler.core.jobs.job import LONGEST_MESSAGE
from scheduler.core.sections.strict_structure import check_field
from scheduler.errors.refusals import QUEUE, Violation, shortened


class Mode(StrEnum):
    ENFORCE = "enforce"  # refuse submissions, block launches, stop unmanaged jobs
    WARN = "warn"  # accept the job with a warning
    OFF = "off"


class Breach(NamedTuple):
    field: str
    message: str
    remedy: str


#: Every kind of rule by its name in the section `rules`.
KINDS: dict[str, type["Rule"]] = {}
_Rule = TypeVar("_Rule", bound="Rule")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(ABC):
    kind: ClassVar[str]
    reads_tags: ClassVar[bool] = False
    is_approvable: ClassVar[bool] = False  # whether an operator may approve jobs that break the rule

    name: str  # unique in the section
    mode: Mode = Mode.ENFORCE
    applies_to: JobPattern = field(default_factory=JobPattern)

    @abstractmethod
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        """Yields every breach of this rule by the job."""


class Default(NamedTuple):
    """A value for a member that a request leaves out, or a tag to add to `Tags`."""

    path: str
    text: str  # as people read it
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultRule(Rule):
    """The base class of rules that complete requests at submission. No job violates them."""

    def __post_init__(self) -> None:
        check_field("mode", self.mode is not Mode.WARN, "must be enforce or off: these rules give no warnings")

    def breaches(self, subject: Subject) -> Iterator[Breach]:  # noqa: ARG002 - see above
        yield from ()

    @abstractmethod
    def defaults(self, subject: Subject) -> Iterator[Default]:
        """Yields what the job's request leaves out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowList(Rule):
    """The base class of rules that allow only values that match one of their patterns."""

    allowed: tuple[str, ...]

    def __post_init__(self) -> None:
        check_field("allowed", self.allowed, "is empty: no job could run")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def kind(name: str) -> Callable[[type[_Rule]], type[_Rule]]:
    """Turns a class into a frozen dataclass, and registers it as a kind of rule that operators may use."""

    def register(rule: type[_Rule]) -> type[_Rule]:
        rule.kind = name
        KINDS[name] = made = dataclass(frozen=True, slots=True, kw_only=True)(rule)
        return made

    return register


class OnFailure(StrEnum):
    """The verdict on a job if a rule cannot be checked."""

    OPEN = "open"  # the job counts as complying with the rule
    CLOSED = "closed"  # the job counts as violating the rule


@dataclass(frozen=True, slots=True, kw_only=True)
class FailurePolicy:
    launching: OnFailure = OnFailure.CLOSED  # applies to submissions too
    stopping: OnFailure = OnFailure.OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Exemption:
    """Exempts some jobs from some rules until a date."""

    rules: tuple[str, ...]  # their names
    jobs: JobPattern
    owner: str  # the person responsible for the exemption
    reason: str
    expires_at: datetime

    def covers(self, rule: Rule, subject: Subject, now: datetime) -> bool:
        return now < self.expires_at and rule.name in self.rules and self.jobs.matches(subject)


@dataclass(frozen=True, slots=True)
class Verdict:
    enforced: tuple[Violation, ...] = ()
    warnings: tuple[Violation, ...] = ()

    def violations(self, on_failure: OnFailure) -> tuple[Violation, ...]:
        """Returns the enforced violations, including those of failed rules if `on_failure` is CLOSED."""
        return tuple(violation for violation in self.enforced if not violation.broken or on_failure is OnFailure.CLOSED)

    def refusals(self, on_failure: OnFailure) -> tuple[Violation, ...]:
        """Returns the violations that no approval allows."""
        return tuple(violation for violation in self.violations(on_failure) if not violation.approvable)

    @property
    def approvable(self) -> tuple[Violation, ...]:
        """Returns the enforced violations that an approval allows."""
        return tuple(violation for violation in self.enforced if violation.approvable)

    def also(self, other: "Verdict", field_of: Callable[[str], str]) -> "Verdict":
        """Returns this verdict combined with the verdict on another part.

        `field_of` gives the path of that part's fields.
        """
        return Verdict(
            _union(self.enforced, _at(field_of, other.enforced)), _union(self.warnings, _at(field_of, other.warnings))
        )

    @property
    def failed_rules(self) -> tuple[str, ...]:
        """Returns the names of the rules that could not be checked."""
        return tuple(violation.rule for violation in (*self.enforced, *self.warnings) if violation.broken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    rules: tuple[Rule, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    failing: FailurePolicy = field(default_factory=FailurePolicy)

    @property
    def read_tags(self) -> bool:
        """Returns whether the tags of a job may change the verdict."""
        patterns = (*(rule.applies_to for rule in self.rules), *(exemption.jobs for exemption in self.exemptions))
        return any(rule.reads_tags for rule in self.rules) or any(pattern.tags for pattern in patterns)

    def only(self, kind: type[Rule]) -> "Rules":
        """Returns the rules of one kind that are not off, with the same exemptions."""
        kept = (rule for rule in self.rules if isinstance(rule, kind) and rule.mode is not Mode.OFF)
        return replace(self, rules=tuple(kept))

    def check(self, subject: Subject, now: datetime) -> Verdict:
        """Returns all violations at once, so that a user can correct them together. Never raises an exception."""
        found: dict[Mode, list[Violation]] = {mode: [] for mode in Mode}
        for rule in self.rules:
            if rule.mode is not Mode.OFF:
                found[rule.mode] += self._violations(rule, subject, now)
        return Verdict(tuple(found[Mode.ENFORCE]), tuple(found[Mode.WARN]))

    def completed(self, subject: Subject, now: datetime) -> tuple[Mapping[str, Any], tuple[Violation, ...]]:
        """Returns the request with its defaults, and a note on each default for the user."""
        notes: list[Violation] = []
        for rule in self.rules:
            if isinstance(rule, DefaultRule) and rule.mode is not Mode.OFF:
                subject, added = self._completed(rule, subject, now)
                notes += added
        return subject.request, tuple(notes)

    def _completed(self, rule: DefaultRule, subject: Subject, now: datetime) -> tuple[Subject, list[Violation]]:
        try:
            is_exempt = any(exemption.covers(rule, subject, now) for exemption in self.exemptions)
            applies = rule.applies_to.matches(subject) and not is_exempt
            defaults = list(rule.defaults(subject)) if applies else []
            request = reduce(_with_default, defaults, subject.request)
            return replace(subject, request=request), [_note(rule, default) for default in defaults]
        except Exception as error:  # noqa: BLE001 - the job goes on without this rule's defaults, and other rules check it
            return subject, [_unchecked(rule, error)]

    def _violations(self, rule: Rule, subject: Subject, now: datetime) -> list[Violation]:
        try:
            breaches = list(rule.breaches(subject)) if rule.applies_to.matches(subject) else []
            if breaches and any(exemption.covers(rule, subject, now) for exemption in self.exemptions):
                return []
            return [_violation(rule, breach) for breach in breaches]
        except Exception as error:  # noqa: BLE001 - a failing rule must stop neither the other rules nor the queue
            return [_unchecked(rule, error)]


def _unchecked(rule: Rule, error: Exception) -> Violation:
    message = f"The rule could not be checked ({type(error).__name__})"
    return Violation(rule.name, "", message, "Ask an operator to correct the rules.", broken=True)


def _with_default(request: Mapping[str, Any], default: Default) -> dict[str, Any]:
    if default.path == "Tags":
        return {**request, "Tags": [*(request.get("Tags") or ()), default.value]}
    member, _, rest = default.path.partition(".")
    if not rest:
        return {**request, member: default.value}
    return {**request, member: _with_default(request.get(member) or {}, default._replace(path=rest))}


def _note(rule: Rule, default: Default) -> Violation:
    message = shortened(f"The rule {rule.name} sets {default.text}, which the request leaves out", LONGEST_MESSAGE)
    return Violation(QUEUE, default.path, message, "Set another value in the request if you need one.")


def _at(field_of: Callable[[str], str], violations: Sequence[Violation]) -> Iterator[Violation]:
    return (replace(violation, field=field_of(violation.field)) for violation in violations)


def _union(first: Iterable[Violation], second: Iterable[Violation]) -> tuple[Violation, ...]:
    """Returns each violation once: the outputs of a processing job have most violations in common."""
    return tuple(dict.fromkeys((*first, *second)))


def _violation(rule: Rule, breach: Breach) -> Violation:
    """Returns the violation with shortened texts: they may list thousands of values, and jobs store their warnings."""
    message, remedy = shortened(breach.message, LONGEST_MESSAGE), shortened(breach.remedy, LONGEST_MESSAGE)
    return Violation(
        rule.name, breach.field, message, remedy, approvable=rule.is_approvable and rule.mode is Mode.ENFORCE
    )


NO_RULES = Rules()
