"""Finds and fills placeholders in an array's request: `${lr}` is lr's value, and `$${lr}` is an escape for `${lr}`."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scheduler.core.requests.texts import Path, field_of, texts_in, with_filled_placeholders
from scheduler.errors.refusals import bad_field, shortened

_PLACEHOLDER = re.compile(r"\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
#: The members whose texts may have placeholders, besides S3 paths. Texts in other members never change.
_WITH_PLACEHOLDERS = re.compile(
    r"(HyperParameters|Environment)\.|Tags\[\d+\]\.Value|AlgorithmSpecification\.Container(Arguments|Entrypoint)\["
)
#: The members that no operators' rule reads.
_UNRULED = re.compile(r"(HyperParameters|Environment|AlgorithmSpecification)\b")
_S3 = "s3://"


@dataclass(frozen=True, slots=True)
class Template:
    """A text of the request with placeholders, and its path."""

    path: Path
    text: str

    @property
    def field(self) -> str:
        return field_of(self.path)

    @property
    def is_ruled(self) -> bool:
        """Returns whether one of the operators' rules may depend on the text."""
        return _UNRULED.match(self.field) is None


def templates_in(request: Mapping[str, Any], names: Collection[str]) -> tuple[Template, ...]:
    """Returns the texts with placeholders. Raises BadRequest for a text with an unknown name, or in the wrong place."""
    found = [Template(path, text) for path, text in texts_in(request) if _PLACEHOLDER.search(text)]
    for template in found:
        _refuse_wrong_place(template)
        for name in _names_in(template.text):
            if name not in names:
                problem = f"has the placeholder ${{{shortened(name)}}}, but no parameter has this name"
                raise bad_field(template.field, problem, f"Use {', '.join(names)}; write $${{…}} for the text itself.")
    return tuple(found)


def names_used(templates: Collection[Template]) -> frozenset[str]:
    return frozenset(name for template in templates for name in _names_in(template.text))


def filled(text: str, values: Mapping[str, str]) -> str:
    """Returns the text with its placeholders replaced by the values."""
    return _PLACEHOLDER.sub(lambda found: found[0][1:] if found[0].startswith("$$") else values[found[1]], text)


def filled_request(request: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """Returns the request with the placeholders that `templates_in` finds replaced by the values."""
    return with_filled_placeholders(
        request, lambda path, text: filled(text, values) if may_have_placeholders(path, text) else text
    )


def may_have_placeholders(path: Path, text: str) -> bool:
    return text.startswith(_S3) or _WITH_PLACEHOLDERS.match(field_of(path)) is not None


def _names_in(text: str) -> Iterator[str]:
    return (found[1] for found in _PLACEHOLDER.finditer(text) if not found[0].startswith("$$"))


def _refuse_wrong_place(template: Template) -> None:
    if not may_have_placeholders(template.path, template.text):
        remedy = "Use placeholders in hyperparameters, environment, arguments, values of tags, and S3 paths."
        raise bad_field(template.field, "cannot have a placeholder", remedy)
