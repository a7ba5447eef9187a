"""Compiles DynamoDB's conditions, key conditions and updates, once per text.

Supports the part of the language that the queue's adapters use. Everything else raises ValueError.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, partial
from typing import Any, TypeVar

Item = dict[str, Any]
Condition = Callable[["Scope"], bool]
Operand = Callable[["Scope"], Any]
Change = Callable[["Scope", Item], None]
_Parsed = TypeVar("_Parsed")

_TOKEN = re.compile(r"\s*([#:]?[A-Za-z_][\w]*|<=|>=|<>|[<>=(),.+-])")
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": lambda left, right: left == right,
    "<>": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


class WrongType(Exception):
    """An ADD action names an attribute that is not a number."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Holds the item before the call, and the values of the placeholders."""

    item: Item | None
    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)


@cache
def condition(text: str) -> Condition:
    return _whole(text, _disjunction)


@cache
def update(text: str) -> tuple[Change, ...]:
    parts = re.split(r"\b(SET|ADD|REMOVE)\b", text)[1:]
    return tuple(
        change
        for action, clauses in zip(parts[::2], parts[1::2], strict=True)
        for change in _whole(clauses, partial(_clauses, action))
    )


def updated(changes: tuple[Change, ...], scope: Scope) -> Item:
    """Returns the item after all changes. Each change reads the item as it was before."""
    item = dict(scope.item or {})
    for change in changes:
        change(scope, item)
    return item


class _Tokens:
    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        if "".join(self._tokens) != re.sub(r"\s", "", text):
            raise ValueError(text)
        self._next = 0

    def peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def take(self, *expected: str) -> str:
        token = self.peek()
        if expected and token not in expected:
            raise ValueError(f"{token!r} instead of {expected}")
        self._next += 1
        return token

    def takes(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self._next += 1
        return True


def _whole(text: str, parse: Callable[[_Tokens], _Parsed]) -> _Parsed:
    tokens = _Tokens(text)
    parsed = parse(tokens)
    tokens.take("")
    return parsed


def _disjunction(tokens: _Tokens) -> Condition:
    parts = [_conjunction(tokens)]
    while tokens.takes("OR"):
        parts.append(_conjunction(tokens))
    return parts[0] if len(parts) == 1 else lambda scope: any(part(scope) for part in parts)


def _conjunction(tokens: _Tokens) -> Condition:
    parts = [_negation(tokens)]
    while tokens.takes("AND"):
        parts.append(_negation(tokens))
    return parts[0] if len(parts) == 1 else lambda scope: all(part(scope) for part in parts)


def _negation(tokens: _Tokens) -> Condition:
    if tokens.takes("NOT"):
        negated = _negation(tokens)
        return lambda scope: not negated(scope)
    if tokens.takes("("):
        inner = _disjunction(tokens)
        tokens.take(")")
        return inner
    return _term(tokens)


def _term(tokens: _Tokens) -> Condition:
    if tokens.peek() in {"attribute_exists", "attribute_not_exists", "begins_with"}:
        return _function(tokens)
    left = _operand(tokens)
    if tokens.takes("IN"):
        options = _arguments(tokens)
        return lambda scope: (found := left(scope)) is not None and found in [option(scope) for option in options]
    if tokens.takes("BETWEEN"):
        low, _, high = _operand(tokens), tokens.take("AND"), _operand(tokens)
        return lambda scope: (found := left(scope)) is not None and low(scope) <= found <= high(scope)
    compare, right = _COMPARISONS[tokens.take(*_COMPARISONS)], _operand(tokens)
    return lambda scope: _compares(compare, left(scope), right(scope))


def _compares(compare: Callable[[Any, Any], bool], left: Any, right: Any) -> bool:
    """Compares two operands. The result is false if an attribute is missing, or the types differ."""
    if left is None or right is None or left[0] != right[0]:
        return False
    return compare(left[1], right[1])


def _function(tokens: _Tokens) -> Condition:
    name, arguments = tokens.take(), _arguments(tokens)
    first = arguments[0]
    match name:
        case "attribute_exists":
            return lambda scope: first(scope) is not None
        case "attribute_not_exists":
            return lambda scope: first(scope) is None
    prefix = arguments[1]
    return lambda scope: (found := first(scope)) is not None and found[1].startswith(prefix(scope)[1])


def _arguments(tokens: _Tokens) -> list[Operand]:
    tokens.take("(")
    arguments = [_operand(tokens)]
    while tokens.takes(","):
        arguments.append(_operand(tokens))
    tokens.take(")")
    return arguments


def _operand(tokens: _Tokens) -> Operand:
    """Returns a pair of type and value, or None if the attribute is missing."""
    if tokens.peek() == "if_not_exists":
        tokens.take()
        known, otherwise = _arguments(tokens)
        return lambda scope: known(scope) or otherwise(scope)
    if tokens.peek().startswith(":"):
        placeholder = tokens.take()
        return lambda scope: _comparable(scope.values[placeholder])
    path = _path(tokens)
    return lambda scope: _comparable(_found(scope, path))


def _path(tokens: _Tokens) -> tuple[str, ...]:
    path = [tokens.take()]
    while tokens.takes("."):
        path.append(tokens.take())
    return tuple(path)


def _found(scope: Scope, path: tuple[str, ...]) -> Any:
    value: Any = {"M": scope.item or {}}
    for name in path:
        value = value.get("M", {}).get(scope.names.get(name, name))
        if value is None:
            return None
    return value


def _comparable(value: Any) -> Any:
    if value is None:
        return None
    ((kind, content),) = value.items()
    return (kind, Decimal(content)) if kind == "N" else (kind, content)


def _clauses(action: str, tokens: _Tokens) -> list[Change]:
    parse = {"SET": _assignment, "ADD": _addition, "REMOVE": _removal}[action]
    clauses = [parse(tokens)]
    while tokens.takes(","):
        clauses.append(parse(tokens))
    return clauses


def _assignment(tokens: _Tokens) -> Change:
    path = _path(tokens)
    tokens.take("=")
    terms = [(1, _operand(tokens))]
    while tokens.peek() in {"+", "-"}:
        terms.append((1 if tokens.take() == "+" else -1, _operand(tokens)))

    def assign(scope: Scope, item: Item) -> None:
        found = [(sign, term(scope)) for sign, term in terms]
        kind, content = found[0][1]
        value = {kind: content}
        if kind == "N":
            value = {"N": str(sum(sign * number for sign, (_, number) in found))}
        _put(item, [scope.names.get(name, name) for name in path], value)

    return assign


def _put(item: Item, path: list[str], value: Any) -> None:
    *parents, last = path
    for name in parents:
        item[name] = {"M": dict(item[name]["M"])}
        item = item[name]["M"]
    item[last] = value


def _addition(tokens: _Tokens) -> Change:
    name, number = tokens.take(), _operand(tokens)

    def add(scope: Scope, item: Item) -> None:
        attribute = scope.names.get(name, name)
        known = item.get(attribute, {"N": "0"})
        if "N" not in known:
            raise WrongType(attribute)
        item[attribute] = {"N": str(Decimal(known["N"]) + number(scope)[1])}

    return add


def _removal(tokens: _Tokens) -> Change:
    name = tokens.take()
    return lambda scope, item: item.pop(scope.names.get(name, name), None) and None
