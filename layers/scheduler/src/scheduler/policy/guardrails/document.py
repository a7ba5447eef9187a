"""The rules document: JSON text that becomes Rules, or a list of everything that is wrong with it, with lines."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from json import JSONDecodeError
from typing import Any

from cattrs import BaseValidationError, ForbiddenExtraKeysError

from scheduler import strict_json
from scheduler.domain.problem import Problem
from scheduler.policy.guardrails.contradictions import contradictions
from scheduler.policy.guardrails.lines import Lines
from scheduler.policy.guardrails.rules import Rules
from scheduler.policy.guardrails.structure import structured
from scheduler.refusals import BadRules

#: Far more than anybody has written, and far below what an item of the table holds (aws-facts 4.20).
MAX_BYTES = 64 * 1024
#: The version of this format; a document says which one it is written in.
FORMAT = 1
_REMEDY = "Mend the document and send it again; the rules that were in force stay in force."

Found = tuple[str, str]  # a path in the document, and what is wrong there


@lru_cache(maxsize=4)  # every submission and every cycle asks for the document that is in force
def rules_of(text: str) -> Rules:
    """Read a document that was accepted once. Raises BadRules."""
    document = _loaded(text)
    try:
        return structured(_without_format(document))
    except BaseValidationError as error:
        raise _refusal(text, _found(error, "")) from error


def accepted(text: str, now: datetime) -> Rules:
    """Read a new document. Raises BadRules for anything in it that is wrong, contradictory or past."""
    if len(text.encode(errors="surrogatepass")) > MAX_BYTES:
        raise BadRules((Problem(None, "", f"The document is longer than {MAX_BYTES} bytes"),), _REMEDY)
    _refuse_duplicates(text)
    rules = rules_of(text)
    if found := [*contradictions(rules), *_expired(rules, now)]:
        raise _refusal(text, found)
    return rules


def _loaded(text: str) -> dict[str, Any]:
    try:
        document = strict_json.loads_with_twins(text)  # these are told with their lines
    except JSONDecodeError as error:
        raise BadRules((Problem(error.lineno, "", f"This is not JSON: {error.msg}"),), _REMEDY) from error
    except (ValueError, RecursionError) as error:
        raise BadRules((Problem(None, "", f"This is not JSON: {error}"),), _REMEDY) from error
    if not isinstance(document, dict):
        raise BadRules((Problem(1, "", "The document is not a JSON object"),), _REMEDY)
    return document


def _without_format(document: Mapping[str, Any]) -> dict[str, Any]:
    if document.get("format") != FORMAT:
        problem = Problem(1, "format", f"must be {FORMAT}, the version of the format of this document")
        raise BadRules((problem,), _REMEDY)
    return {key: value for key, value in document.items() if key != "format"}


def _refuse_duplicates(text: str) -> None:
    _loaded(text)
    if twice := Lines(text).of_duplicates():
        problems = tuple(Problem(line, path, "is given twice") for path, line in twice)
        raise BadRules(problems, _REMEDY)


def _expired(rules: Rules, now: datetime) -> Iterator[Found]:
    for index, exemption in enumerate(rules.exemptions):
        if exemption.expires_at <= now:
            yield f"exemptions[{index}].expires_at", "has passed: renew the exemption or leave it out"


def _refusal(text: str, found: list[Found]) -> BadRules:
    lines = Lines(text)
    return BadRules(tuple(Problem(lines.of(path), path, problem) for path, problem in found), _REMEDY)


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
