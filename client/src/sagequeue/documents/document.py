"""Reads a YAML or JSON file that people write. Collects its problems, so that a user sees all of them at once."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import yaml

from sagequeue.errors import InvalidSubmission

Found = TypeVar("Found")
_LONGEST_VALUE = 60


@dataclass(frozen=True, slots=True)
class Document:
    """A file, and the problems that its reader has found so far."""

    path: Path
    problems: list[tuple[int, str]] = field(default_factory=list)  # with their lines

    def add_problem(self, line: int, problem: str) -> None:
        self.problems.append((line, problem))

    def refuse_problems(self) -> None:
        """Raises InvalidSubmission with all problems in the order of their lines."""
        if self.problems:
            lines = [f"{self.path}:{line}: {problem}" for line, problem in sorted(self.problems)]
            raise InvalidSubmission("\n".join([f"{self.path} was refused", *lines]), "Correct the file.")


@dataclass(frozen=True, slots=True)
class Member:
    """A value in a document, with its place. A value of the wrong type is a problem in the document."""

    document: Document
    path: str
    line: int
    value: Any  # a plain value; the members of an object and of a list have places of their own
    parts: "dict[str, Member] | list[Member] | None" = None
    is_given: bool = True

    def problem(self, problem: str) -> None:
        if self.is_given:  # a missing member was reported where it is missing
            self.document.add_problem(self.line, f"{self.path} {problem}".strip())

    def shown(self) -> str:
        text = json.dumps(self.value, ensure_ascii=False, default=str)
        return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"

    def members(self, known: Collection[str], required: Collection[str] = ()) -> "dict[str, Member]":
        """Returns each known member of an object, whether or not it is given.

        Unknown and missing members are problems.
        """
        found = self.named()
        for name in [name for name in found if name not in known]:
            hint = next(iter(get_close_matches(name, known, 1)), None)
            remedy = f"Did you mean {hint}?" if hint else f"Use {', '.join(known)}."
            found.pop(name).problem(f"is not a known member. {remedy}")
        for name in [name for name in known if name not in found]:
            found[name] = replace(self, path=self._path_of(name), value=None, parts=None, is_given=False)
            if name in required and self.is_given and isinstance(self.parts, dict):
                self.document.add_problem(self.line, f"{found[name].path} is missing. Add it.")
        return found

    def named(self) -> "dict[str, Member]":
        """Returns the members of an object that may have any names."""
        if isinstance(self.parts, dict):
            return {**self.parts}
        self.problem(f"is {self.shown()}. Write an object, with a name for each value.")
        return {}

    def listed(self) -> "list[Member]":
        if isinstance(self.parts, list):
            return [*self.parts]
        self.problem(f"is {self.shown()}. Write a list.")
        return []

    def text(self, pattern: str = r"(?s).+", remedy: str = "Write a text.", default: str = "") -> str:
        if isinstance(self.value, str) and re.fullmatch(pattern, self.value):
            return self.value
        self.problem(f"is {self.shown()}. {remedy}")
        return default

    def one_of(self, values: Sequence[str], default: str = "") -> str:
        if self.value in values:
            return str(self.value)
        self.problem(f"is {self.shown()}. Use {' or '.join(values)}.")
        return default

    def whole(self, least: int, most: int, default: int = 0) -> int:
        value = self.value
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.problem(f"is {self.shown()}. Write a whole number from {least:,} to {most:,}.")
        return default

    def number(self) -> float | None:
        if isinstance(self.value, int | float) and not isinstance(self.value, bool) and isfinite(self.value):
            return self.value
        self.problem(f"is {self.shown()}. Write a number.")
        return None

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            self.problem(f"is {self.shown()}. Use true or false.")
        return bool(self.value)

    def object_or_file(self) -> dict[str, Any]:
        """Returns the object itself, or the object in the file that the value names.

        The file is in the document's folder.
        """
        if isinstance(self.value, dict):
            return self.value
        if not isinstance(self.value, str):
            self.problem(f"is {self.shown()}. Write an object, or the name of a file that contains it.")
            return {}
        file = self.document.path.parent / self.value
        try:
            found = _parsed(file.read_text(encoding="utf-8-sig"))
        except OSError as error:
            return self._without_file(file, f"cannot be read: {error.strerror}. Check the path")
        except (ValueError, RecursionError, yaml.YAMLError) as error:
            return self._without_file(file, f"is neither JSON nor YAML: {' '.join(str(error).split())}")
        return found if isinstance(found, dict) else self._without_file(file, "contains no object")

    def _without_file(self, file: Path, problem: str) -> dict[str, Any]:
        self.problem(f"names {file}, which {problem}.")
        return {}

    def _path_of(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


def read_document(path: str, read: Callable[[Member], Found]) -> Found:
    """Reads a file, and returns the result of `read`. Raises InvalidSubmission with every problem in the file."""
    document = Document(Path(path))
    try:
        text = document.path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidSubmission(f"{path} cannot be read: {error}", "Check the path.") from error
    root = _root(document, text)
    document.refuse_problems()
    found = read(root)
    document.refuse_problems()
    return found


class _Loader(yaml.SafeLoader):
    """Reads `1e-5` as a number, as JSON and YAML 1.2 do, and dates as texts."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+"), list("-+0123456789")
)


def _parsed(text: str) -> object:
    """Reads JSON as JSON, because PyYAML refuses JSON that is indented with tabs."""
    try:
        return json.loads(text)
    except ValueError:
        return yaml.load(text, _Loader)  # noqa: S506 - a SafeLoader


def _root(document: Document, text: str) -> Member:
    nothing = Member(document, "", 1, {}, {})
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        return nothing if node is None else _member(document, loader, node, "")
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        document.add_problem(line, f"The file is not valid YAML: {error.problem}. Check indentation and quotes.")
    except yaml.YAMLError as error:
        document.add_problem(1, f"The file is not valid YAML: {error}. Remove the character.")
    except (RecursionError, ValueError) as error:
        document.add_problem(1, f"The file cannot be read: {error}. Simplify it.")
    return nothing


def _member(document: Document, loader: yaml.SafeLoader, node: yaml.Node, path: str) -> Member:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        named = dict(_named_parts(document, loader, node, path))
        return Member(document, path, line, {name: part.value for name, part in named.items()}, named)
    if isinstance(node, yaml.SequenceNode):
        listed = [_member(document, loader, part, f"{path}[{number}]") for number, part in enumerate(node.value)]
        return Member(document, path, line, [part.value for part in listed], listed)
    return Member(document, path, line, loader.construct_object(node, deep=True))


def _named_parts(
    document: Document, loader: yaml.SafeLoader, node: yaml.MappingNode, path: str
) -> Iterator[tuple[str, Member]]:
    seen: set[str] = set()
    for key, value in node.value:
        name = str(key.value)
        if key.tag == "tag:yaml.org,2002:merge":
            document.add_problem(key.start_mark.line + 1, "<< is not supported. Write the members out.")
            continue
        place = f"{path}.{name}" if path else name
        if name in seen:
            document.add_problem(key.start_mark.line + 1, f"{place} appears twice. Remove one.")
        seen.add(name)
        member = _member(document, loader, value, place)
        yield name, Member(document, place, key.start_mark.line + 1, member.value, member.parts)
