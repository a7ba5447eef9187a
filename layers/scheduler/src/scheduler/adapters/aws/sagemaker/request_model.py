"""Validates a request against SageMaker's own service model, offline, as SageMaker would.

botocore's ParamValidator checks no maxima, patterns or enums, and returns a single text for all mistakes.
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from typing import Any

from botocore.loaders import Loader
from botocore.model import ListShape, MapShape, ServiceModel, Shape, StringShape, StructureShape

from scheduler.core.jobs.work.kind import FORMS, WorkKind, kind_of
from scheduler.core.requests.attempt_request import MAX_USER_TAGS
from scheduler.core.requests.sdk_arguments import remedy_for
from scheduler.core.requests.texts import Path, field_of
from scheduler.errors.refusals import BadRequest, TooManyTags, bad_field, shortened, shown

# For each model type in a Create request: its name in JSON, and its type in Python.
_TYPES: dict[str, tuple[str, type]] = {
    "structure": ("an object", dict),
    "map": ("an object", dict),
    "list": ("an array", list),
    "string": ("a string", str),
    "integer": ("an integer", int),
    "long": ("an integer", int),
    "float": ("a number", float),
    "boolean": ("a boolean", bool),
}
_INTEGER_BITS = {"integer": 32, "long": 64}
# Each release of the model adds instance types; the budget decides which types jobs may use.
_OPEN_ENUMS = {"TrainingInstanceType", "ProcessingInstanceType"}
#: Text formats that users often get wrong, by the beginning of their pattern.
_FORMS = {
    "arn:": ("an ARN", "Give the ARN, which begins with arn:, and not the name."),
    "(https|s3)://": ("an S3 URI", "Give it as s3://BUCKET/PREFIX."),
}
#: Members whose names and values users choose. No message shows their text values, or the value of a secret name.
_USERS_VALUES = re.compile(r"(?:.*\.)?(?:(?:Static)?HyperParameters|Environment)\.(?P<name>.*)", re.DOTALL)
_SECRET_NAME = re.compile(r"passw|secret|token|key|credential", re.IGNORECASE)

# Java's regular expressions have character classes that Python lacks. Separators are all kinds of spaces, but not
# line feeds and tabs, which Python's \s includes: they are control characters. Java writes a character above U+FFFF
# as two surrogates.
_SEPARATORS = " \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_JAVA_CLASSES = {
    r"\p{L}": r"\w",
    r"\p{Z}": _SEPARATORS,
    r"\p{N}": r"\d",
    r"\p{Alnum}": "a-zA-Z0-9",
    r"\uD800\uDC00-\uDBFF\uDFFF": r"\U00010000-\U0010FFFF",
}

Violation = tuple[str, str, str]  # the path, the problem there, and the remedy


def refuse_invalid(request: object) -> None:
    """Raises BadRequest for the first member that SageMaker would refuse in a Create request of any kind."""
    tags = request.get("Tags") if isinstance(request, dict) else None
    if isinstance(tags, list) and len(tags) > MAX_USER_TAGS:
        raise TooManyTags(len(tags), MAX_USER_TAGS)
    violation = next(_violations(_create_shape(kind_of(request)), request, ""), None)
    if violation is not None:
        field, problem, remedy = violation
        raise BadRequest(
            f"{field or 'The body'} {problem}",
            field=field or None,
            remedy=f"{remedy} {remedy_for(field)}".lstrip(),
        )


def refuse_invalid_text(path: Path, text: str) -> None:
    """Raises BadRequest for a text that SageMaker would refuse at this place in a request."""
    field = field_of(path)
    for _, problem, remedy in _string_violations(_shape_at(path), text, field):
        raise bad_field(field, problem, remedy)


@cache
def _shape_at(path: Path) -> StringShape:
    shape: Any = _create_shape(WorkKind.TRAINING)
    for part in path:
        match shape:
            case StructureShape():
                shape = shape.members[str(part)]
            case MapShape():
                shape = shape.value
            case _:
                shape = shape.member
    found: StringShape = shape
    return found


@cache
def _create_shape(kind: WorkKind) -> Shape:
    model = ServiceModel(Loader().load_service_model("sagemaker", "service-2"))
    shape = model.operation_model(FORMS[kind].operation).input_shape
    assert shape is not None  # noqa: S101 - the operation has an input in every model; mypy needs the assertion
    return shape


def _violations(shape: Shape, value: Any, path: str) -> Iterator[Violation]:
    json_name, python_type = _TYPES[shape.type_name]
    if not _is_exactly(value, python_type):
        yield path, f"must be {json_name}{_quoting(', not {}', value, path)}", f"Send it as {json_name}."
    elif isinstance(shape, StructureShape):
        yield from _structure_violations(shape, value, path)
    elif isinstance(shape, ListShape):
        yield from _size_violations(shape, len(value), path, "must have {} {} entries, not {}")
        for index, entry in enumerate(value):
            yield from _violations(shape.member, entry, f"{path}[{index}]")
    elif isinstance(shape, MapShape):
        yield from _size_violations(shape, len(value), path, "must have {} {} entries, not {}")
        for key, entry in value.items():
            yield from _violations(shape.key, key, _join(path, key))
            yield from _violations(shape.value, entry, _join(path, key))
    elif isinstance(shape, StringShape):
        yield from _string_violations(shape, value, path)
    elif shape.type_name in _INTEGER_BITS:
        yield from _integer_violations(shape, value, path)


def _structure_violations(shape: StructureShape, value: dict[str, Any], path: str) -> Iterator[Violation]:
    for name in shape.required_members:
        if name not in value:
            yield _join(path, name), "is missing", f"Add {name}."
    for name, entry in value.items():
        if name not in shape.members:
            close = get_close_matches(name, shape.members, n=1)
            yield _join(path, name), "is not known to SageMaker", f"Did you mean {close[0]}?" if close else "Remove it."
        else:
            yield from _violations(shape.members[name], entry, _join(path, name))


def _string_violations(shape: StringShape, value: str, path: str) -> Iterator[Violation]:
    pattern = shape.metadata.get("pattern", "")
    for beginning, (form, remedy) in _FORMS.items():
        if pattern.startswith(beginning) and not re.match(beginning, value):
            yield path, f"is {shown(value)}, which is not {form}", remedy
    for _, problem, remedy in _size_violations(shape, len(value), path, "must have {} {} characters, not {}"):
        yield path, problem + _quoting(" ({})", value, path), remedy
    if pattern and not _compiled(pattern).fullmatch(value):
        yield path, f"must match the pattern {pattern}{_quoting(', not {}', value, path)}", ""
    if shape.enum and shape.name not in _OPEN_ENUMS and value not in shape.enum:
        yield path, f"must be one of {', '.join(shape.enum)}{_quoting(', not {}', value, path)}", ""


def _integer_violations(shape: Shape, value: int, path: str) -> Iterator[Violation]:
    if value.bit_length() >= _INTEGER_BITS[shape.type_name]:
        yield path, f"is too large a number: {shown(value)}", "Use a smaller one."
    else:
        yield from _size_violations(shape, value, path, "must be {} {}, not {}")


def _size_violations(shape: Shape, size: int, path: str, sentence: str) -> Iterator[Violation]:
    if size < shape.metadata.get("min", size):
        yield path, sentence.format("at least", shape.metadata["min"], size), ""
    if size > shape.metadata.get("max", size):
        yield path, sentence.format("at most", shape.metadata["max"], size), ""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    for java, python in _JAVA_CLASSES.items():
        pattern = pattern.replace(java, python)
    return re.compile(pattern, re.DOTALL)  # in AWS's patterns, a dot matches any character


def _quoting(ending: str, value: object, path: str) -> str:
    """Returns the end of a problem's sentence, which quotes the value; empty if the value may be secret."""
    return "" if _may_be_secret(value, path) else ending.format(shown(value))


def _may_be_secret(value: object, path: str) -> bool:
    users = _USERS_VALUES.fullmatch(path)
    return users is not None and (isinstance(value, str) or _SECRET_NAME.search(users["name"]) is not None)


def _is_exactly(value: object, python_type: type) -> bool:
    # For isinstance, a bool is an int. A whole number also counts as one of the model's floats.
    return type(value) is python_type or (python_type is float and type(value) is int)


def _join(path: str, name: str) -> str:
    return f"{path}.{shortened(name)}" if path else shortened(name)
