"""A document of operators: JSON text that becomes a value, or all that is wrong with it, with lines."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from json import JSONDecodeError
from typing import Any, TypeVar

from cattrs import BaseValidationError, ForbiddenExtraKeysError

from scheduler.core.documents import strict_json
from scheduler.core.documents.json_lines import Lines
from scheduler.errors.config_errors import BadDocument
from scheduler.errors.problem import Problem

#: Far more than anybody has written, and far below what an item of the table holds (aws-facts 4.20).
MAX_BYTES = 64 * 1024
#: The version of this format; a document says which one it is written in.
FORMAT = 1
#: Of a document that is wrong from end to end: an answer has to fit into what Lambda sends back, 6 MB.
MOST_TOLD = 100
_MOST_CHARACTERS = 500
_REMEDY = "Mend the document and send it again; what was in force stays in force."

Found = tuple[str, str]  # a path in the document, and what is wrong there
_Value = TypeVar("_Value")


def read(text: str, structured: Callable[[Mapping[str, Any]], _Value], bad: type[BadDocument]) -> _Value:
    """Read a document that was accepted once. Raises `bad`."""
    document = _loaded(text, bad)
    if document.get("format") != FORMAT:
        raise bad((Problem(1, "format", f"must be {FORMAT}, the version of the format of this document"),), _REMEDY)
    try:
        return structured({key: value for key, value in document.items() if key != "format"})
    except BaseValidationError as error:
        raise _refusal(text, _found(error, ""), bad) from error


def refuse_ambiguous(text: str, bad: type[BadDocument]) -> None:
    """Of a new document: too long, or with members given twice."""
    if len(text.encode(errors="surrogatepass")) > MAX_BYTES:
        raise bad((Problem(None, "", f"The document is longer than {MAX_BYTES} bytes"),), _REMEDY)
    _loaded(text, bad)
    if twice := Lines(text).of_duplicates():
        raise _refused([Problem(line, path, "is given twice") for path, line in twice], len(twice), bad)


def refuse_found(text: str, found: Iterable[Found], bad: type[BadDocument]) -> None:
    """Of a new document: what is wrong with entries that are right one by one."""
    if problems := list(found):
        raise _refusal(text, problems, bad)


def _loaded(text: str, bad: type[BadDocument]) -> dict[str, Any]:
    try:
        document = strict_json.loads_with_twins(text)  # these are told with their lines
    except JSONDecodeError as error:
        raise bad((Problem(error.lineno, "", f"This is not JSON: {error.msg}"),), _REMEDY) from error
    except (ValueError, RecursionError) as error:
        raise bad((Problem(None, "", f"This is not JSON: {error}"),), _REMEDY) from error
    if not isinstance(document, dict):
        raise bad((Problem(1, "", "The document is not a JSON object"),), _REMEDY)
    return document


def _refusal(text: str, found: Sequence[Found], bad: type[BadDocument]) -> BadDocument:
    lines = Lines(text)
    return _refused([Problem(lines.of(path), path, problem) for path, problem in found[:MOST_TOLD]], len(found), bad)


def _refused(problems: Sequence[Problem], count: int, bad: type[BadDocument]) -> BadDocument:
    """With no more than somebody can read of so many."""
    told = tuple(
        Problem(line, path[:_MOST_CHARACTERS], problem[:_MOST_CHARACTERS])
        for line, path, problem in problems[:MOST_TOLD]
    )
    left_out = count - len(told)
    return bad((*told, *([Problem(None, "", f"{left_out} more are not told")] if left_out else [])), _REMEDY)


def _found(error: BaseException, path: str) -> list[Found]:
    """Everything wrong below this path: cattrs nests what it found as the document is nested."""
    if not isinstance(error, BaseValidationError):
        return _leaf(error, path)
    noted, others = error.group_exceptions()  # type: ignore[attr-defined]  # both of its subclasses have it
    below = [found for inner, note in noted for found in _found(inner, _below(path, note))]
    return below + [found for inner in others for found in _found(inner, path)]


def _leaf(error: BaseException, path: str) -> list[Found]:
    match error:
        case ForbiddenExtraKeysError():
            return [(_join(path, key), "is not known here") for key in sorted(error.extra_fields)]
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
