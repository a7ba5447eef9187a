"""Reads the body of a call: a JSON object that means the same to every reader, or a refusal that names the remedy."""

from collections.abc import Iterator, Mapping
from typing import Any

from api.call import Call
from scheduler.core.documents import strict_json
from scheduler.errors.refusals import BadRequest, NotJson, TooLarge

MAX_BODY_BYTES = 4 * 1024 * 1024


def json_body(call: Call, *, of: str) -> dict[str, Any]:
    """`of` says what is expected, such as "a CreateTrainingJob request". Raises BadRequest."""
    body = call.body.encode(errors="surrogatepass")
    if len(body) > MAX_BODY_BYTES:
        raise TooLarge(
            f"The body has {len(body)} bytes; the limit is {MAX_BODY_BYTES}",
            remedy="Put large hyperparameters into a file on S3 and pass its location.",
        )
    document = _parsed(body, of)
    if not isinstance(document, dict):
        raise BadRequest("The body is not a JSON object", remedy=f"Send {of} as a JSON object.")
    return document


def members(document: Mapping[str, Any], known: Mapping[str, type], path: str = "") -> dict[str, Any]:
    """The members that are there, each of its type; null is as good as absent. Raises BadRequest naming the field."""
    for name, value in document.items():
        if name not in known:
            raise BadRequest(
                f"{path}{name} is not known", field=f"{path}{name}", remedy=f"There are {', '.join(known)}."
            )
        if value is not None and type(value) is not known[name]:  # a bool is an int to isinstance
            raise BadRequest(
                f"{path}{name} must be {_JSON_NAMES[known[name]]}",
                field=f"{path}{name}",
                remedy=f"Send it as {_JSON_NAMES[known[name]]}.",
            )
    return {name: value for name, value in document.items() if value is not None}


def required(document: Mapping[str, Any], name: str) -> Any:
    if name not in document:
        raise BadRequest(f"{name} is missing", field=name, remedy=f"Send {name}.")
    return document[name]


_JSON_NAMES = {dict: "an object", list: "an array", str: "a string", int: "an integer", bool: "a boolean"}


def _parsed(body: bytes, of: str) -> Any:
    try:
        document = strict_json.loads(body)
        nul = next((path for path, text in _texts(document, "") if "\0" in text), None)
    except (ValueError, RecursionError) as error:
        raise NotJson(f"The body is not JSON: {error}", remedy=f"Send {of} as JSON.") from error
    if nul is not None:
        raise BadRequest(f"{nul} has the character NUL", field=nul, remedy="Leave the character out.")
    return document


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _texts(entry, f"{path}[{index}]")
    elif isinstance(value, dict):
        for name, entry in value.items():
            inner = f"{path}.{name}" if path else name
            yield inner.replace("\0", ""), name
            yield from _texts(entry, inner.replace("\0", ""))
