"""Reads an operators' document: JSON text becomes a value, or a list of every problem in it, with line numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from json import JSONDecodeError
from typing import Any, TypeVar

from cattrs import BaseValidationError, ForbiddenExtraKeysError

from scheduler.core.documents import strict_json
from scheduler.core.documents.json_lines import Lines
from scheduler.errors.config_errors import BadDocument, Problem

#: Far more than a document needs, and far less than an item of the table holds (aws-facts 4.20).
MAX_BYTES = 64 * 1024
#: The version of the format, which each document states.
FORMAT = 1
#: Problems to report of one document: the answer must fit into the 6 MB that Lambda returns.
MAX_REPORTED_PROBLEMS = 100
_MOST_CHARACTERS = 500
_REMEDY = "Correct the document and send it again. The applied version has not changed."

FieldProblem = tuple[str, str]  # a path in the document, and the problem there
_Value = TypeVar("_Value")


def read(text: str, structured: Callable[[Mapping[str, Any]], _Value], bad: type[BadDocument]) -> _Value:
    """Reads an applied document. Raises `bad`."""
    document = _loaded(text, bad)
    if document.get("format") != FORMAT:
        raise bad((Problem(1, "format", f"must be {FORMAT}, the version of the format of this document"),), _REMEDY)
    try:
        return structured({key: value for key, value in document.items() if key != "format"})
    except BaseValidationError as error:
        raise _refusal(text, _problems_in(error, ""), bad) from error


def refuse_ambiguous(text: str, bad: type[BadDocument]) -> None:
    """Raises `bad` if a new document is too long or has members given twice."""
    if len(text.encode(errors="surrogatepass")) > MAX_BYTES:
        raise bad((Problem(None, "", f"The document is longer than {MAX_BYTES} bytes"),), _REMEDY)
    _loaded(text, bad)
    if twice := Lines(text).of_duplicates():
        raise _refused([Problem(line, path, "is given twice") for path, line in twice], len(twice), bad)


def refuse_problems(text: str, problems: Iterable[FieldProblem], bad: type[BadDocument]) -> None:
    """Raises `bad` if there are problems between entries that are valid one by one."""
    if listed := list(problems):
        raise _refusal(text, listed, bad)


def _loaded(text: str, bad: type[BadDocument]) -> dict[str, Any]:
    try:
        document = strict_json.loads_with_duplicates(text)  # refuse_ambiguous reports duplicates with their lines
    except JSONDecodeError as error:
        raise bad((Problem(error.lineno, "", f"This is not JSON: {error.msg}"),), _REMEDY) from error
    except (ValueError, RecursionError) as error:
        raise bad((Problem(None, "", f"This is not JSON: {error}"),), _REMEDY) from error
    if not isinstance(document, dict):
        raise bad((Problem(1, "", "The document is not a JSON object"),), _REMEDY)
    return document


def _refusal(text: str, problems: Sequence[FieldProblem], bad: type[BadDocument]) -> BadDocument:
    lines = Lines(text)
    return _refused(
        [Problem(lines.of(path), path, problem) for path, problem in problems[:MAX_REPORTED_PROBLEMS]],
        len(problems),
        bad,
    )


def _refused(problems: Sequence[Problem], count: int, bad: type[BadDocument]) -> BadDocument:
    """Returns the error, with as many problems as an answer can hold."""
    reported = tuple(
        Problem(line, path[:_MOST_CHARACTERS], problem[:_MOST_CHARACTERS])
        for line, path, problem in problems[:MAX_REPORTED_PROBLEMS]
    )
    left_out = count - len(reported)
    return bad(
        (*reported, *([Problem(None, "", f"{left_out} more problems are not listed")] if left_out else [])), _REMEDY
    )


def _problems_in(error: BaseException, path: str) -> list[FieldProblem]:
    """Returns every problem below this path. cattrs nests its errors as the document is nested."""
    if not isinstance(error, BaseValidationError):
        return _leaf(error, path)
    noted, unnoted = error.group_exceptions()  # type: ignore[attr-defined]  # both of its subclasses have it
    below = [found for inner, note in noted for found in _problems_in(inner, _below(path, note))]
    return below + [found for inner in unnoted for found in _problems_in(inner, path)]


def _leaf(error: BaseException, path: str) -> list[FieldProblem]:
    match error:
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
