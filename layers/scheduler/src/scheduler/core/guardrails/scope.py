"""Which jobs a rule is for."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from attrs import field, frozen

from scheduler.core.guardrails.subject import Subject
from scheduler.core.jobs.principal import arn_for_patterns


@frozen(kw_only=True)
class Scope:
    """Which jobs are meant: all that match every pattern given. `*` in a pattern stands for any text."""

    owner: str | None = None
    team: str | None = None
    name: str | None = None
    instance_type: str | None = None  # one of its types
    tags: Mapping[str, str] = field(factory=dict)  # patterns of values by key

    def has(self, subject: Subject) -> bool:
        return (
            matches(arn_for_patterns(subject.owner), self.owner)
            and matches(subject.team, self.team)
            and matches(subject.name, self.name)
            and (self.instance_type is None or any(matches(one.kind, self.instance_type) for one in subject.instances))
            and all(matches(subject.tags.get(key), pattern) for key, pattern in self.tags.items())
        )

    @property
    def is_everything(self) -> bool:
        return self == Scope()


def matches(text: str | None, pattern: str | None) -> bool:
    return pattern is None or (text is not None and fnmatchcase(text, pattern))


def matches_any(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
