"""Checks a request against SageMaker's API model from botocore, and refuses it with SageMaker's error texts.

botocore itself checks types, required members and minima before it sends a request. The service also checks maxima,
enumerations and patterns. Both botocore and the service ignore members that are not in the model.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import botocore.session
from botocore.model import ListShape, MapShape, ServiceModel, Shape, StringShape, StructureShape

from local_sagemaker.errors import invalid, unreadable

_TYPES: dict[str, tuple[type, ...]] = {
    "structure": (dict,),
    "map": (dict,),
    "list": (list,),
    "string": (str,),
    "integer": (int,),
    "long": (int,),
    "float": (int, float),
    "double": (int, float),
    "boolean": (bool,),
    "timestamp": (int, float),
}

# The largest values of the service's number types.
_LARGEST = {"integer": 2**31 - 1, "long": 2**63 - 1}

# The model has Java's regular expressions. These character classes have other names in Python.
_JAVA_CLASSES = {r"\p{L}": r"\w", r"\p{N}": r"\d", r"\p{Z}": r"\s", r"\p{Alnum}": "a-zA-Z0-9"}


def validated(operation: str, request: object) -> dict[str, Any]:
    """Returns a valid request without nulls, or raises a ValidationException that lists every problem."""
    shape = input_shape(operation)
    if shape is None or not isinstance(request, dict):
        raise unreadable("The body is not a JSON object")
    problems = list(_problems(shape, request, ""))
    if problems:
        noun = "error" if len(problems) == 1 else "errors"
        raise invalid(f"{len(problems)} validation {noun} detected: {'; '.join(problems)}")
    pruned: dict[str, Any] = _without_nulls(request)
    return pruned


def _without_nulls(value: Any) -> Any:
    """Removes null members, because they count as absent."""
    if isinstance(value, dict):
        return {name: _without_nulls(member) for name, member in value.items() if member is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value


def _problems(shape: Shape, value: object, path: str) -> Iterator[str]:
    if not _has_type(shape, value):
        yield _problem(value, path, f"Member must be of type {shape.type_name}")
    elif isinstance(shape, StructureShape) and isinstance(value, dict):
        yield from _structure_problems(shape, value, path)
    elif isinstance(shape, ListShape) and isinstance(value, list):
        yield from _length_problems(shape, value, path)
        for number, item in enumerate(value, start=1):
            yield from _problems(shape.member, item, f"{path}.{number}.member")
    elif isinstance(shape, MapShape) and isinstance(value, dict):
        yield from _length_problems(shape, value, path)
        for key, item in value.items():
            yield from _problems(shape.key, key, f"{path}.{key}.key")
            yield from _problems(shape.value, item, f"{path}.{key}.member")
    elif isinstance(value, str):
        yield from _string_problems(shape, value, path)
    elif shape.type_name != "timestamp":
        yield from _range_problems(shape, value, path)


def _has_type(shape: Shape, value: object) -> bool:
    if isinstance(value, bool):  # for Python, it is also an int
        return shape.type_name == "boolean"
    return isinstance(value, _TYPES[shape.type_name])


def _structure_problems(shape: StructureShape, value: dict[str, Any], path: str) -> Iterator[str]:
    for name, member in shape.members.items():
        inner = _join(path, name)
        if value.get(name) is not None:
            yield from _problems(member, value[name], inner)
        elif name in shape.required_members:
            yield f"Value null at '{inner}' failed to satisfy constraint: Member must not be null"


def _string_problems(shape: Shape, value: str, path: str) -> Iterator[str]:
    yield from _length_problems(shape, value, path)
    pattern = shape.metadata.get("pattern")
    if pattern and not _compiled(pattern).fullmatch(value):
        yield _problem(value, path, f"Member must satisfy regular expression pattern: {pattern}")
    if isinstance(shape, StringShape) and shape.enum and value not in shape.enum:
        yield _problem(value, path, f"Member must satisfy enum value set: [{', '.join(shape.enum)}]")


def _length_problems(shape: Shape, value: "str | list[Any] | dict[str, Any]", path: str) -> Iterator[str]:
    for bound, broken in _broken_bounds(shape, len(value)):
        yield _problem(value, path, f"Member must have length {broken} than or equal to {bound}")


def _range_problems(shape: Shape, value: object, path: str) -> Iterator[str]:
    if isinstance(value, (int, float)):
        for bound, broken in _broken_bounds(shape, value):
            yield _problem(value, path, f"Member must have value {broken} than or equal to {bound}")


def _broken_bounds(shape: Shape, size: float) -> Iterator[tuple[float, str]]:
    largest = _LARGEST.get(shape.type_name, size)
    if size < shape.metadata.get("min", size):
        yield shape.metadata["min"], "greater"
    if size > shape.metadata.get("max", largest):
        yield shape.metadata.get("max", largest), "less"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    for java, python in _JAVA_CLASSES.items():
        pattern = pattern.replace(java, python)
    return re.compile(pattern, re.DOTALL)  # AWS does not document whether a dot matches a line feed


def _problem(value: object, path: str, constraint: str) -> str:
    return f"Value '{value}' at '{path}' failed to satisfy constraint: {constraint}"


def _join(path: str, name: str) -> str:
    """Joins `ResourceConfig` and `InstanceType` to `resourceConfig.instanceType`, as the service spells paths."""
    name = name[0].lower() + name[1:]
    return f"{path}.{name}" if path else name


@cache
def search_members() -> frozenset[str]:
    """Returns the members of a training job in Search; Describe has more."""
    return frozenset(service_model().shape_for("TrainingJob").members)  # type: ignore[attr-defined] # the shape is a structure


def declares_error(code: str) -> bool:
    """Returns whether the API's model declares the error.

    It does not declare the errors that all AWS services share.
    """
    return code in service_model().shape_names


@cache
def input_shape(operation: str) -> Shape | None:
    return service_model().operation_model(operation).input_shape


@cache
def service_model() -> ServiceModel:
    return botocore.session.Session().get_service_model("sagemaker")
