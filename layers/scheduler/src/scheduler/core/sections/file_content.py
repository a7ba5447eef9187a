"""The content of a configuration file: plain values, and the line of each member. `file_text.py` reads it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import inf, isfinite
from operator import getitem
from typing import Any

from scheduler.errors.config_errors import Problem

Path = tuple[str | int, ...]  # keys and indexes, from the top of the file

#: Levels of nested containers. A configuration needs eight; readers recurse, and Python's stack is limited.
MAX_DEPTH = 50
#: The most values in one file. PyYAML takes 20 microseconds for each, and in the queue's Lambda functions 60.
MAX_VALUES = 50_000
#: The most problems to collect: a file may have one in every few bytes, each with a long path.
MAX_PROBLEMS = 100
#: Longer numbers have no use here, and the time that Python takes to read them grows quadratically.
_MAX_DIGITS = 100
_REFUSED_CHARACTER = re.compile("[\0\ud800-\udfff]")  # NUL, and halves of surrogate pairs
_INDEX = re.compile(r"\[([0-9]{1,9})\]\.?")


class UnreadableFile(ValueError):
    """Signals that a file's text cannot be read."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class FileContent:
    value: Any  # made of dict, list, str, int, float, bool and None
    lines: Mapping[Path, int]  # from 1; a member's line is the line of its key

    def line_of(self, path: str) -> int | None:
        """Returns the line of a path such as `rules[0].most`, or of its nearest parent if the member is missing."""
        nearest, _ = self._nearest(path)
        return self.lines.get(nearest)

    def value_at(self, path: str) -> Any:
        """Returns the value at a path. Raises LookupError if the member is missing."""
        nearest, rest = self._nearest(path)
        if rest:
            raise LookupError(path)
        return reduce(getitem, nearest, self.value)

    def _nearest(self, path: str) -> tuple[Path, str]:
        """Returns the path to the member or its nearest parent, and the rest of the path that is missing."""
        return min(_known_paths(self.value, path), key=lambda known: len(known[1]))


class MemberCollector:
    """Collects the lines of a file's members and their problems, while a reader walks through the file."""

    def __init__(self) -> None:
        self.lines: dict[Path, int] = {}
        self.problems: list[Problem] = []
        self._repeated: set[Path] = set()

    def add(self, path: Path, line: int) -> None:
        """Records the line of a member. Checks its key, and refuses a second member at this path."""
        if path not in self.lines:
            if len(self.lines) == MAX_VALUES:
                raise UnreadableFile(
                    [*self.problems, Problem(line, "", f"The file has more than {MAX_VALUES} values: shorten it")]
                )
            self.lines[path] = line
            self.checked(path, line, path[-1] if path else "")
            return
        if path[:-1] not in self._repeated:  # otherwise the problem of its parent is enough
            first = self.lines[path]
            self.refuse(path, line, f"is given twice, first on line {first}: remove one of them")
        self._repeated.add(path)

    def checked(self, path: Path, line: int, value: Any) -> Any:
        """Returns the plain value, and refuses values that JSON cannot express."""
        if isinstance(value, float) and not isfinite(value):
            self.refuse(path, line, "is not a number that JSON can express: correct it, or put the text in quotes")
        if isinstance(value, str) and (refused := _REFUSED_CHARACTER.search(value)):
            self.refuse(path, line, f"contains the character U+{ord(refused[0]):04X}: remove it")
        return value

    def refuse(self, path: Path, line: int, message: str) -> None:
        """Records a problem. Raises UnreadableFile once there are MAX_PROBLEMS."""
        field = format_path(path).encode(errors="backslashreplace").decode()  # no answer contains refused characters
        self.problems.append(Problem(line, field, message))
        if len(self.problems) == MAX_PROBLEMS:
            raise UnreadableFile([*self.problems, Problem(None, "", "Further problems are not listed")])

    def content(self, value: Any) -> FileContent:
        """Returns the content. Raises UnreadableFile with all problems if there are any."""
        if self.problems:
            raise UnreadableFile(self.problems)
        return FileContent(value, self.lines)


def too_deep(line: int) -> UnreadableFile:
    return UnreadableFile([Problem(line, "", f"The file is nested deeper than {MAX_DEPTH} levels: make it flatter")])


def whole_number(digits: str) -> int | float:
    """Returns the number. For a number with too many digits, returns infinity, which is refused later."""
    return int(digits) if len(digits) <= _MAX_DIGITS else inf


def format_path(path: Path) -> str:
    """Returns the path in the form that people read, such as `rules[0].most`."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def _known_paths(value: Any, path: str) -> Iterator[tuple[Path, str]]:
    """Yields each member along the path, with the rest of the path. Keys may contain dots, so paths may branch."""
    yield (), path
    for key, rest in _steps(value, path):
        for below, end in _known_paths(value[key], rest):
            yield (key, *below), end


def _steps(value: Any, path: str) -> Iterator[tuple[str | int, str]]:
    if isinstance(value, list) and (index := _INDEX.match(path)) and int(index[1]) < len(value):
        yield int(index[1]), path[index.end() :]
    if isinstance(value, dict):
        for key in filter(path.startswith, value):
            rest = path[len(key) :]
            if rest[:1] in {"", ".", "["}:
                yield key, rest.removeprefix(".")
