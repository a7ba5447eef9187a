"""Selects the jobs that a rule applies to, or that an exemption covers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from scheduler.core.guardrails.subject import Subject
from scheduler.core.jobs.principal import arn_for_patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPattern:
    """Matches jobs that match every pattern given. `*` in a pattern matches any text."""

    owner: str | None = None
    team: str | None = None
    name: str | None = None
    instance_type: str | None = None  # of one of the job's types
    tags: Mapping[str, str] = field(default_factory=dict)  # patterns of values by key

    def matches(self, subject: Subject) -> bool:
        return (
            matches(arn_for_patterns(subject.owner), self.owner)
            and matches(subject.team, self.team)
            and matches(subject.name, self.name)
            and (
                self.instance_type is None
                or any(matches(instances.instance_type, self.instance_type) for instances in subject.instances)
            )
            and all(matches(subject.tags.get(key), pattern) for key, pattern in self.tags.items())
        )

    @property
    def matches_every_job(self) -> bool:
        return self == JobPattern()


def matches(text: str | None, pattern: str | None) -> bool:
    return pattern is None or (text is not None and fnmatchcase(text, pattern))


def matches_any(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
