"""Compares an API answer with docs/openapi.json."""

import json
import re
from typing import Any

from jsonschema import Draft202012Validator

from support.checkout import CHECKOUT

DOCUMENT = json.loads((CHECKOUT / "docs" / "openapi.json").read_text())


def assert_documented(method: str, path: str, status: int, answer: dict[str, Any]) -> None:
    """Where the document has no such call, the answer has to say so."""
    operation = _operation(method.lower(), path)
    if operation is None:
        assert (status, answer["error"]) == (404, "unknown_path")
        return
    assert str(status) in operation["responses"], f"{method} {path} answered {status}, which is not documented"
    schema = operation["responses"][str(status)]["content"]["application/json"]["schema"]
    Draft202012Validator(schema | {"components": DOCUMENT["components"]}).validate(answer)


def _operation(method: str, path: str) -> dict[str, Any] | None:
    """The most specific one, as the function itself chooses."""
    for pattern in sorted(DOCUMENT["paths"]):
        if re.fullmatch(re.sub("{[a-z]+}", "[^/]+", pattern), path) and method in DOCUMENT["paths"][pattern]:
            operation: dict[str, Any] = DOCUMENT["paths"][pattern][method]
            return operation
    return None
