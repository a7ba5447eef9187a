"""The client knows every refusal of docs/openapi.json by its code."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from sagequeue.api.answers import unpack
from sagequeue.errors import QueueRefusal

DOCUMENT = json.loads((Path(__file__).parents[4] / "docs" / "openapi.json").read_text())


def refusals() -> Iterator[tuple[int, str]]:
    responses = (operation["responses"] for methods in DOCUMENT["paths"].values() for operation in methods.values())
    for status, response in (pair for each in responses for pair in each.items()):
        schema = response["content"]["application/json"]["schema"]
        for shape in schema.get("anyOf", [schema]):
            codes: list[str] = shape.get("properties", {}).get("error", {}).get("enum", [])
            yield from ((int(status), code) for code in codes)


@pytest.mark.parametrize(("status", "code"), sorted({*refusals()}))
def test_each_has_an_exception_of_its_kind_with_its_status(status: int, code: str) -> None:
    with pytest.raises(QueueRefusal) as caught:
        unpack(answer(status, code))
    assert type(caught.value) is not QueueRefusal
    assert caught.value.status == status


def answer(status: int, code: str) -> requests.Response:
    response = requests.Response()
    response.status_code = status
    response._content = json.dumps({"error": code, "message": "No.", "field": None, "remedy": "Do that."}).encode()
    return response
