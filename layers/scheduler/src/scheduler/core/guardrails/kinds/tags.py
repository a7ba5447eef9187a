"""Rules about tags."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from scheduler.core.guardrails.rules import Breach, Rule, kind
from scheduler.core.guardrails.subject import Subject
from scheduler.core.sections.strict_structure import check_field

_MOST_TAGS = 50  # SageMaker's limit (aws-facts 2.30)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredTag:
    """A required tag. With neither values nor a pattern, any value is allowed."""

    values: tuple[str, ...] | None = None
    pattern: re.Pattern[str] | None = None  # must match the whole value

    def __post_init__(self) -> None:
        check_field("values", self.values != (), "is empty: no value is allowed")

    @property
    def allows_nothing(self) -> bool:
        return self.values is not None and not any(map(self.allows, self.values))

    def allows(self, value: str) -> bool:
        of_values = self.values is None or value in self.values
        return of_values and (self.pattern is None or self.pattern.fullmatch(value) is not None)

    def __str__(self) -> str:
        allowed = [f"one of {', '.join(self.values)}"] if self.values else []
        if self.pattern:
            allowed.append(f"text that matches {self.pattern.pattern}")
        return " and ".join(allowed) or "any value"


@kind("required_tags")
class RequiredTags(Rule):
    reads_tags: ClassVar[bool] = True

    tags: Mapping[str, RequiredTag]

    def __post_init__(self) -> None:
        number = len(self.tags)
        check_field("tags", 0 < number <= _MOST_TAGS, f"must name 1 to {_MOST_TAGS} tags, not {number}")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        given = subject.tags
        for key, required in self.tags.items():
            if key not in given:
                yield Breach("Tags", f"The tag {key} is missing", f"Add the tag {key} with {required}.")
            elif not required.allows(given[key]):
                yield Breach("Tags", f"The tag {key} has a value that is not allowed", f"Set {key} to {required}.")
