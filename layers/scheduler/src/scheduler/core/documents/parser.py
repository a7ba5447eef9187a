"""Parses operators' documents: JSON text becomes a value, or a list of every problem in it, with line numbers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from json import JSONDecodeError
from typing import Any, Generic, TypeVar

from cattrs import BaseValidationError, ForbiddenExtraKeysError
from json_source_map import handle
from json_source_map.types import Location

from scheduler.core.documents import strict_json
from scheduler.core.documents.document import DocumentKind
from scheduler.core.documents.strict_structure import Hook, strict_converter
from scheduler.errors.config_errors import BadDocument, Problem

#: Far more than a document needs, and far less than an item of the table holds (aws-facts 4.20).
MAX_BYTES = 64 * 1024
#: The version of the format, which each document states.
FORMAT = 1
#: Problems to report of one document: the answer must fit into the 6 MB that Lambda returns.
MAX_REPORTED_PROBLEMS = 100
_MOST_CHARACTERS = 500

FieldProblem = tuple[str, str]  # a path in the document, and the problem there
_Content = TypeVar("_Content")
_Value = TypeVar("_Value")


class DocumentParser(Generic[_Value]):
    """Parses one kind of document. `content` is a dataclass of its members, and `value_of` makes the value of these."""

    def __init__(
        self,
        kind: DocumentKind,
        content: type[_Content],
        value_of: Callable[[_Content], _Value],
        hooks: Mapping[Any, Hook] | None = None,
    ) -> None:
        self.converter = strict_converter(hooks or {})
        self._kind = kind
        self._structured: Callable[[Any], _Value] = lambda members: value_of(self.converter.structure(members, content))
        #: Parses an applied document, which each call and each cycle reads. Raises BadDocument.
        self.read: Callable[[str], _Value] = lru_cache(maxsize=4)(self._read)

    def validated(self, text: str, *checks: Callable[[_Value], Iterable[FieldProblem]]) -> _Value:
        """Parses a new document. Raises BadDocument, also for the problems of the first check that finds any."""
        if len(text.encode(errors="surrogatepass")) > MAX_BYTES:
            raise self._bad([Problem(None, "", f"The document is longer than {MAX_BYTES} bytes")])
        self._loaded(text)
        members = _members(text)
        times, lines = Counter(pointer for pointer, _ in members), dict(members)
        if twice := [pointer for pointer in times if times[pointer] > 1]:
            raise self._bad([Problem(lines[path], path[1:].replace("/", "."), "is given twice") for path in twice])
        value = self.read(text)
        for check in checks:
            if problems := [*check(value)]:
                raise self._bad_at(problems, text)
        return value

    def _read(self, text: str) -> _Value:
        members = self._loaded(text)
        if members.pop("format", None) != FORMAT:
            raise self._bad([Problem(1, "format", f"must be {FORMAT}, the version of the format of this document")])
        try:
            return self._structured(members)
        except BaseValidationError as error:
            raise self._bad_at(_problems_in(error, ""), text) from error

    def _loaded(self, text: str) -> dict[str, Any]:
        try:
            document = strict_json.loads(text, allow_duplicates=True)  # `validated` reports duplicates with their lines
        except JSONDecodeError as error:
            raise self._bad([Problem(error.lineno, "", f"This is not JSON: {error.msg}")]) from error
        except (ValueError, RecursionError) as error:
            raise self._bad([Problem(None, "", f"This is not JSON: {error}")]) from error
        if not isinstance(document, dict):
            raise self._bad([Problem(1, "", "The document is not a JSON object")])
        return document

    def _bad_at(self, problems: Iterable[FieldProblem], text: str) -> BadDocument:
        lines = dict(_members(text))
        return self._bad([Problem(_line_of(path, lines), path, problem) for path, problem in problems])

    def _bad(self, problems: Sequence[Problem]) -> BadDocument:
        """Returns the error, with as many problems as an answer can hold."""
        reported = [
            Problem(line, path[:_MOST_CHARACTERS], problem[:_MOST_CHARACTERS])
            for line, path, problem in problems[:MAX_REPORTED_PROBLEMS]
        ]
        if left_out := len(problems) - len(reported):
            reported.append(Problem(None, "", f"{left_out} more problems are not listed"))
        return BadDocument(self._kind, reported)


def _members(text: str) -> list[tuple[str, int]]:
    """Returns the JSON pointer of each member in valid JSON, with its line from 1. JSON allows members given twice."""
    try:
        entries = handle.value(source=text, current_location=Location(0, 0, 0))
    except RecursionError:  # nested far deeper than any document: reported without a line
        return []
    return [(pointer, (entry.key_start or entry.value_start).line + 1) for pointer, entry in entries]


def _line_of(path: str, lines: Mapping[str, int]) -> int | None:
    """Returns the line of a path such as `rules[0].most`; of its parent if the member is missing."""
    pointer = "/" + path.replace("[", "/").replace("]", "").replace(".", "/") if path else ""
    while pointer and pointer not in lines:
        pointer = pointer.rpartition("/")[0]
    return lines.get(pointer)


def _problems_in(error: BaseException, path: str) -> list[FieldProblem]:
    """Returns every problem below this path. cattrs nests its errors as the document is nested."""
    match error:
        case BaseValidationError():
            noted, unnoted = error.group_exceptions()  # type: ignore[attr-defined]  # both of its subclasses have it
            below = [(inner, _below(path, note)) for inner, note in noted] + [(inner, path) for inner in unnoted]
            return [problem for inner, inner_path in below for problem in _problems_in(inner, inner_path)]
        case ForbiddenExtraKeysError():
            return [(_join(path, key), "is not a known member") for key in sorted(error.extra_fields)]
        case KeyError():
            return [(path, "is missing")]
        case ValueError(args=(str(field), str(problem))):
            return [(_join(path, field), problem)]
        case _:
            return [(path, str(error))]


def _below(path: str, note: Any) -> str:
    index = note.name if hasattr(note, "name") else note.index
    return f"{path}[{index}]" if isinstance(index, int) else _join(path, index)


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
