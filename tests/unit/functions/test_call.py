"""A call of the REST API, as API Gateway passes it."""

import gzip
from base64 import b64encode
from typing import Any

import pytest
from openapi.document import document

from api.call import Call, json_body
from scheduler.errors.refusals import NotJson


def call_with(**event: Any) -> Call:
    return Call(event, None)  # type: ignore[arg-type] # nothing here asks for Lambda's context


def test_a_body_may_come_in_base64() -> None:
    assert call_with(body=b64encode('{"ä": 1}'.encode()).decode(), isBase64Encoded=True).body == '{"ä": 1}'


@pytest.mark.parametrize("body", [gzip.compress(b"{}"), b"\xff{}"], ids=["compressed", "Latin-1"])
def test_a_body_that_is_not_utf_8_is_refused_and_never_decompressed(body: bytes) -> None:
    with pytest.raises(NotJson) as refused:
        json_body(call_with(body=b64encode(body).decode(), isBase64Encoded=True), of="a request")
    assert (refused.value.message, refused.value.remedy) == (
        "The body is not text in UTF-8",
        "Send JSON, not compressed.",
    )


def test_a_call_without_body_and_query_has_empty_ones() -> None:
    call = call_with(body=None, queryStringParameters=None, multiValueQueryStringParameters=None)
    assert (call.body, call.query, call.whole_query) == ("", {}, {})


def test_each_route_has_a_function_of_its_own() -> None:
    names = [operation["operationId"] for methods in document()["paths"].values() for operation in methods.values()]
    assert len(names) == len(set(names))
