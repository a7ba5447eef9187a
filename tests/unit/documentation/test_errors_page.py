"""docs/reference/errors.md has each error that a caller can get, with its status and class."""

import json
import re
from typing import Any

import sagequeue
from sagequeue import errors
from sagequeue.api.answers import _REFUSALS
from sagequeue.errors import FailedCall, QueueError, QueueRefusal
from support.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs/reference/errors.md").read_text()
DOCUMENT = json.loads((CHECKOUT / "docs/openapi.json").read_text())
#: An answer for paths that the document does not have, which the client takes for another release.
UNKNOWN_PATH = ("unknown_path", 404, "OtherVersion")
ROW = re.compile(r"^\| <a id=\"(\w+)\"></a>`\1` \| (\d+) \| `(\w+)` \| .*\. \| .*\. \| `(\w+)` \|$", re.MULTILINE)


def codes() -> set[tuple[str, int]]:
    """Returns each code of the document with its status."""
    return {
        (code, int(status))
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
        for code in _codes_in(answer)
    }


def _codes_in(value: Any) -> list[str]:
    if isinstance(value, list):
        return [code for entry in value for code in _codes_in(entry)]
    if not isinstance(value, dict):
        return []
    found = value["error"].get("enum", []) if isinstance(value.get("error"), dict) else []
    return [*found, *(code for entry in value.values() for code in _codes_in(entry))]


def test_the_page_has_each_refusal_once_with_its_status_and_class() -> None:
    rows = [(code, int(status), kind) for code, status, kind, _ in ROW.findall(PAGE)]
    expected = [(code, status, _REFUSALS[code].__name__) for code, status in codes()]
    assert sorted(rows) == sorted([*expected, UNKNOWN_PATH])


def test_the_page_has_the_botocore_code_of_each_class() -> None:
    for _, _, kind, code in ROW.findall(PAGE):
        assert getattr(sagequeue, kind).code == code


def test_the_page_has_each_error_of_the_client_and_its_code() -> None:
    section = PAGE.partition("## Errors of the client")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (`\w+`|–) \|", section, re.MULTILINE))
    named = {kind for _, _, kind, _ in ROW.findall(PAGE)} | rows.keys() | {"FailedCall", "QueueError", "QueueRefusal"}
    public = {name for name in sagequeue.__all__ if _is_error(getattr(errors, name, None))}
    assert public - named == set()
    for name, code in rows.items():
        kind = getattr(sagequeue, name)
        assert code == (f"`{kind.code}`" if issubclass(kind, FailedCall) else "–")


def _is_error(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, QueueError) and kind is not QueueRefusal
