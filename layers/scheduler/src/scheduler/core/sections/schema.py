"""Defines the schema of a section: the type of its content, its checks, and the value that the content becomes.

A section is the part of the configuration for one kind of settings, as plain data from YAML or JSON.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Generic, TypeVar

from cattrs import BaseValidationError, ForbiddenExtraKeysError

from scheduler.core.sections.defaults import Defaults
from scheduler.core.sections.strict_structure import BadFields, Hook, strict_converter

FieldProblem = tuple[str, str]  # a path in the section, and the problem there
Value = TypeVar("Value")


class ConfigKind(StrEnum):
    RULES = "rules"
    CALLERS = "callers"
    CALENDAR = "calendar"
    POOLS = "pools"
    PRICES = "prices"
    SPENDING = "spending"
    POLICY = "policy"
    SHARES = "shares"
    IDLE_GPUS = "idle_gpus"
    HANGS = "hangs"
    NAN = "nan"
    RETRIES = "retries"
    NOTICES = "notices"


class BadSection(ValueError):
    """Signals that a section has problems."""

    def __init__(self, problems: Iterable[FieldProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{path}: {problem}" for path, problem in self.problems))


class Schema(Generic[Value]):
    """Parses one kind of section. `default` is the content of a section that no operator has applied."""

    def __init__(
        self,
        shape: Any,
        value_of: Callable[[Any], Value] = lambda content: content,
        *,
        hooks: Mapping[Any, Hook] | None = None,
        default: Any = None,
    ) -> None:
        self.shape = shape
        self.default: Any = {} if default is None else default
        self.converter = strict_converter(hooks or {})
        self._defaults = Defaults(self.converter, frozenset(hooks or {}))
        self._value_of = value_of

    @property
    def full_default(self) -> Any:
        """Returns the default content with all its members, as plain data."""
        return self.with_defaults(self.default)

    def with_defaults(self, content: Any) -> Any:
        """Returns the content, completed with defaults for the members that it omits."""
        return self._defaults.over(content, self.shape)

    def parse(self, content: Any) -> Value:
        """Returns the section's value. Raises BadSection with every problem in its structure."""
        try:
            return self._value_of(self.converter.structure(content, self.shape))
        except BaseValidationError as error:
            raise BadSection(_problems_in(error, "")) from error
        except ValueError as error:  # problems of the section as a whole
            raise BadSection([("", str(error))]) from error


def _problems_in(error: BaseException, path: str) -> list[FieldProblem]:
    """Returns every problem below this path. cattrs nests errors in the same way as the section nests members."""
    match error:
        case BaseValidationError():
            noted, unnoted = error.group_exceptions()  # type: ignore[attr-defined]  # both of its subclasses have it
            below = [(inner, _below(path, note)) for inner, note in noted] + [(inner, path) for inner in unnoted]
            return [problem for inner, inner_path in below for problem in _problems_in(inner, inner_path)]
        case ForbiddenExtraKeysError():
            known = [field.name for field in fields(error.cl)] if is_dataclass(error.cl) else []
            return [
                (_join(path, key), f"is not a known member{suggestion(key, known)}")
                for key in sorted(error.extra_fields)
            ]
        case KeyError():
            return [(path, "is missing")]
        case BadFields(problems=problems):
            return [(_join(path, field), problem) for field, problem in problems]
        case ValueError(args=(str(field), str(problem))):
            return [(_join(path, field), problem)]
        case _:
            return [(path, str(error))]


def suggestion(name: str, known: Iterable[str]) -> str:
    """Returns the end of a sentence that suggests a similar known name or, without one, lists all known names."""
    known = sorted(known)
    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; known are {', '.join(known)}"


def _below(path: str, note: Any) -> str:
    index = note.name if hasattr(note, "name") else note.index
    return f"{path}[{index}]" if isinstance(index, int) else _join(path, index)


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
