"""Rules about tags."""

import re
from collections.abc import Iterator, Mapping

from attrs import frozen

from scheduler.core.documents.contradiction import contradiction
from scheduler.core.guardrails.rule import Breach, Rule, kind
from scheduler.core.guardrails.subject import Subject

_MOST_TAGS = 50  # SageMaker's limit (aws-facts 2.30)


@frozen(kw_only=True)
class RequiredTag:
    """With neither values nor a pattern, any value will do."""

    values: tuple[str, ...] | None = None
    pattern: re.Pattern[str] | None = None  # of the whole value

    def __attrs_post_init__(self) -> None:
        if self.values == ():
            raise contradiction("values", "is empty: no value would do")

    @property
    def is_hopeless(self) -> bool:
        """Whether none of its values would do."""
        return self.values is not None and not any(map(self.allows, self.values))

    def allows(self, value: str) -> bool:
        of_values = self.values is None or value in self.values
        return of_values and (self.pattern is None or self.pattern.fullmatch(value) is not None)

    def __str__(self) -> str:
        wanted = [f"one of {', '.join(self.values)}"] if self.values else []
        if self.pattern:
            wanted.append(f"text that matches {self.pattern.pattern}")
        return " and ".join(wanted) or "any value"


@kind("required_tags")
@frozen(kw_only=True)
class RequiredTags(Rule):
    tags: Mapping[str, RequiredTag]

    def __attrs_post_init__(self) -> None:
        if not 0 < len(self.tags) <= _MOST_TAGS:
            raise contradiction("tags", f"names {len(self.tags)} tags; a job has from 1 to {_MOST_TAGS}")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        given = subject.tags
        for key, wanted in self.tags.items():
            if key not in given:
                yield Breach("Tags", f"The tag {key} is missing", f"Add the tag {key} with {wanted}.")
            elif not wanted.allows(given[key]):
                yield Breach("Tags", f"The tag {key} has a value that is not allowed", f"Give {key} {wanted}.")
